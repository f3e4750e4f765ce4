/* AES-128 of one block, which is all that is needed of libgcrypt; its constants are macros and enums. */
#ifndef BEDSIDE_CGCRYPT_SHIM_H
#define BEDSIDE_CGCRYPT_SHIM_H

#include <gcrypt.h>
#include <pthread.h>

/* The library wants one thread to prepare it before any other one calls it; two at once can make it end the program.
   Weak, so that all modules which include this file share it. */
__attribute__((weak)) pthread_once_t cgcrypt_once = PTHREAD_ONCE_INIT;

static inline void cgcrypt_prepare(void) {
    if (!gcry_check_version(GCRYPT_VERSION)) return;
    gcry_control(GCRYCTL_DISABLE_SECMEM, 0);
    gcry_control(GCRYCTL_INITIALIZATION_FINISHED, 0);
}

/* Encrypts 16 bytes with a key of 16 bytes (AES-128-ECB); answers 0 for success. */
static inline unsigned int cgcrypt_aes128(const void *key, const void *block, void *result) {
    gcry_cipher_hd_t cipher;
    pthread_once(&cgcrypt_once, cgcrypt_prepare);
    if (!gcry_control(GCRYCTL_INITIALIZATION_FINISHED_P)) return 1;
    gcry_error_t error = gcry_cipher_open(&cipher, GCRY_CIPHER_AES128, GCRY_CIPHER_MODE_ECB, 0);
    if (error) return error;
    error = gcry_cipher_setkey(cipher, key, 16);
    if (!error) error = gcry_cipher_encrypt(cipher, result, 16, block, 16);
    gcry_cipher_close(cipher);
    return error;
}

#endif
