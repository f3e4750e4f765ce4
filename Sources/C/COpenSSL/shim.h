/* What OpenSSL says of certificates, for `bedside doctor`. Its library comes with libmosquitto and is loaded in the same
   way; its headers are not needed, because these functions have not changed since OpenSSL 3.0. */
#ifndef BEDSIDE_COPENSSL_SHIM_H
#define BEDSIDE_COPENSSL_SHIM_H

#include <dlfcn.h>
#include <stdint.h>
#include <time.h>

struct copenssl_functions {
    const void *(*TLS_client_method)(void);
    void *(*SSL_CTX_new)(const void *method);
    void (*SSL_CTX_free)(void *context);
    void *(*SSL_new)(void *context);
    void (*SSL_free)(void *connection);
    int (*SSL_set_fd)(void *connection, int descriptor);
    long (*SSL_ctrl)(void *connection, int command, long number, void *pointer);
    int (*SSL_connect)(void *connection);
    void *(*SSL_get1_peer_certificate)(const void *connection);
    const void *(*X509_get0_notAfter)(const void *certificate);
    void (*X509_free)(void *certificate);
    int (*ASN1_TIME_to_tm)(const void *time, struct tm *broken_down);
    void *(*BIO_new_mem_buf)(const void *bytes, int count);
    int (*BIO_free)(void *bytes);
    void *(*PEM_read_bio_X509)(void *bytes, void **certificate, void *password, void *context);
};

/* Loads the library, permanently; 0 for success. */
static inline int copenssl_load(struct copenssl_functions *functions) {
    void *library = dlopen("libssl.so.3", RTLD_NOW | RTLD_LOCAL);
    if (!library) return -1;
    /* It depends on libcrypto, whose functions are found by it. */
#define COPENSSL_FIND(name) \
    functions->name = (__typeof__(functions->name))dlsym(library, #name); \
    if (!functions->name) return -1;
    COPENSSL_FIND(TLS_client_method) COPENSSL_FIND(SSL_CTX_new) COPENSSL_FIND(SSL_CTX_free) COPENSSL_FIND(SSL_new)
    COPENSSL_FIND(SSL_free) COPENSSL_FIND(SSL_set_fd) COPENSSL_FIND(SSL_ctrl) COPENSSL_FIND(SSL_connect)
    COPENSSL_FIND(SSL_get1_peer_certificate) COPENSSL_FIND(X509_get0_notAfter) COPENSSL_FIND(X509_free)
    COPENSSL_FIND(ASN1_TIME_to_tm) COPENSSL_FIND(BIO_new_mem_buf) COPENSSL_FIND(BIO_free)
    COPENSSL_FIND(PEM_read_bio_X509)
#undef COPENSSL_FIND
    return 0;
}

/* When a certificate ends, in seconds since 1970 (UTC); INT64_MIN when it does not say so. Frees the certificate. */
static inline int64_t copenssl_take_end(const struct copenssl_functions *functions, void *certificate) {
    if (!certificate) return INT64_MIN;
    struct tm broken_down;
    int is_known = functions->ASN1_TIME_to_tm(functions->X509_get0_notAfter(certificate), &broken_down);
    functions->X509_free(certificate);
    return is_known == 1 ? (int64_t)timegm(&broken_down) : INT64_MIN;
}

/* When the first certificate of a text in PEM ends that ends; INT64_MIN when there is none. */
static inline int64_t copenssl_end_of_pem(const struct copenssl_functions *functions, const void *bytes, int count) {
    void *reader = functions->BIO_new_mem_buf(bytes, count);
    if (!reader) return INT64_MIN;
    int64_t first = INT64_MIN;
    void *certificate;
    while ((certificate = functions->PEM_read_bio_X509(reader, 0, 0, 0))) {
        int64_t end = copenssl_take_end(functions, certificate);
        if (end != INT64_MIN && (first == INT64_MIN || end < first)) first = end;
    }
    functions->BIO_free(reader);
    return first;
}

/* When the certificate of a server ends that a descriptor is connected to; INT64_MIN when it shows none.
   Nothing is verified, and nothing is sent but the beginning of a handshake. */
static inline int64_t copenssl_end_of_peer(
    const struct copenssl_functions *functions, int descriptor, const char *host) {
    int64_t end = INT64_MIN;
    void *context = functions->SSL_CTX_new(functions->TLS_client_method());
    void *connection = context ? functions->SSL_new(context) : 0;
    if (connection && functions->SSL_set_fd(connection, descriptor) == 1) {
        /* SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name */
        (void)functions->SSL_ctrl(connection, 55, 0, (void *)host);
        /* A server that demands our certificate ends the handshake, but has shown its own by then. */
        (void)functions->SSL_connect(connection);
        end = copenssl_take_end(functions, functions->SSL_get1_peer_certificate(connection));
    }
    if (connection) functions->SSL_free(connection);
    if (context) functions->SSL_CTX_free(context);
    return end;
}

#endif
