/* AES-128 of one block, which is all that is needed of libgcrypt; loaded when it is needed. libdbus brings the library in by
   way of libsystemd. What is used of it is declared here, so that its headers are not needed to build; a test compares the
   declarations with those headers. */
#ifndef BEDSIDE_CGCRYPT_SHIM_H
#define BEDSIDE_CGCRYPT_SHIM_H

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

struct gcry_cipher_handle;

/* The functions that are used: result, name without `gcry_`, parameters. */
#define CGCRYPT_FUNCTIONS(F) \
    F(const char *, check_version, (const char *required)) \
    F(unsigned int, control, (unsigned int command, ...)) \
    F(unsigned int, cipher_open, (struct gcry_cipher_handle **, int algorithm, int mode, unsigned int flags)) \
    F(unsigned int, cipher_setkey, (struct gcry_cipher_handle *, const void *key, size_t size)) \
    F(unsigned int, cipher_encrypt, (struct gcry_cipher_handle *, void *result, size_t size, const void *block, \
        size_t count)) \
    F(void, cipher_close, (struct gcry_cipher_handle *))

/* The constants that are used, by their names in its headers. */
#define CGCRYPT_CONSTANTS(C) \
    C(unsigned int, GCRYCTL_DISABLE_SECMEM, 37) C(unsigned int, GCRYCTL_INITIALIZATION_FINISHED, 38) \
    C(int, GCRY_CIPHER_AES128, 7) C(int, GCRY_CIPHER_MODE_ECB, 1)

#define CGCRYPT_CONSTANT(type, name, value) static const type C##name = value;
CGCRYPT_CONSTANTS(CGCRYPT_CONSTANT)
#undef CGCRYPT_CONSTANT

struct cgcrypt_functions {
#define CGCRYPT_MEMBER(result, name, parameters) result (*name) parameters;
    CGCRYPT_FUNCTIONS(CGCRYPT_MEMBER)
#undef CGCRYPT_MEMBER
};

/* The library wants one thread to prepare it before any other one calls it; two at once can make it end the program.
   Weak, so that all modules which include this file share it. */
__attribute__((weak)) pthread_once_t cgcrypt_once = PTHREAD_ONCE_INIT;
/* The library; without functions where it is not installed. */
__attribute__((weak)) struct cgcrypt_functions cgcrypt_library = {0};

static inline void cgcrypt_prepare(void) {
    void *library = dlopen("libgcrypt.so.20", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    struct cgcrypt_functions functions;
#define CGCRYPT_FIND(result, name, parameters) \
    functions.name = (result (*) parameters)dlsym(library, "gcry_" #name); \
    if (!functions.name) return;
    CGCRYPT_FUNCTIONS(CGCRYPT_FIND)
#undef CGCRYPT_FIND
    if (!functions.check_version(0)) return;
    functions.control(CGCRYCTL_DISABLE_SECMEM, 0);
    functions.control(CGCRYCTL_INITIALIZATION_FINISHED, 0);
    cgcrypt_library = functions;
}

/* Encrypts 16 bytes with a key of 16 bytes (AES-128-ECB); 0 for success, which there is none of without the library. */
static inline unsigned int cgcrypt_aes128(const void *key, const void *block, void *result) {
    struct gcry_cipher_handle *cipher;
    pthread_once(&cgcrypt_once, cgcrypt_prepare);
    if (!cgcrypt_library.cipher_open) return 1;
    unsigned int error = cgcrypt_library.cipher_open(&cipher, CGCRY_CIPHER_AES128, CGCRY_CIPHER_MODE_ECB, 0);
    if (error) return error;
    error = cgcrypt_library.cipher_setkey(cipher, key, 16);
    if (!error) error = cgcrypt_library.cipher_encrypt(cipher, result, 16, block, 16);
    cgcrypt_library.cipher_close(cipher);
    return error;
}

#endif
