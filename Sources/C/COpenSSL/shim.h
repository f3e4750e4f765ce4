/* What OpenSSL says of certificates, for `bedside doctor`. Its library comes with libmosquitto and is loaded in the same
   way. What is used of it is declared here, so that its headers are not needed to build; a test compares the declarations
   with those headers. */
#ifndef BEDSIDE_COPENSSL_SHIM_H
#define BEDSIDE_COPENSSL_SHIM_H

#include <dlfcn.h>
#include <stdint.h>
#include <time.h>

struct asn1_string_st;
struct bio_st;
struct ssl_ctx_st;
struct ssl_method_st;
struct ssl_st;
struct x509_st;

/* The functions that are used: result, name, parameters. */
#define COPENSSL_FUNCTIONS(F) \
    F(const struct ssl_method_st *, TLS_client_method, (void)) \
    F(struct ssl_ctx_st *, SSL_CTX_new, (const struct ssl_method_st *)) \
    F(void, SSL_CTX_free, (struct ssl_ctx_st *)) \
    F(struct ssl_st *, SSL_new, (struct ssl_ctx_st *)) \
    F(void, SSL_free, (struct ssl_st *)) \
    F(int, SSL_set_fd, (struct ssl_st *, int descriptor)) \
    F(long, SSL_ctrl, (struct ssl_st *, int command, long number, void *pointer)) \
    F(int, SSL_connect, (struct ssl_st *)) \
    F(struct x509_st *, SSL_get1_peer_certificate, (const struct ssl_st *)) \
    F(const struct asn1_string_st *, X509_get0_notAfter, (const struct x509_st *)) \
    F(void, X509_free, (struct x509_st *)) \
    F(int, ASN1_TIME_to_tm, (const struct asn1_string_st *, struct tm *broken_down)) \
    F(struct bio_st *, BIO_new_mem_buf, (const void *bytes, int count)) \
    F(int, BIO_free, (struct bio_st *)) \
    F(struct x509_st *, PEM_read_bio_X509, (struct bio_st *, struct x509_st **, \
        int (*password)(char *text, int size, int flag, void *data), void *data))

/* The constants that are used, by their names in its headers. */
#define COPENSSL_CONSTANTS(C) C(int, SSL_CTRL_SET_TLSEXT_HOSTNAME, 55) C(int, TLSEXT_NAMETYPE_host_name, 0)

#define COPENSSL_CONSTANT(type, name, value) static const type C##name = value;
COPENSSL_CONSTANTS(COPENSSL_CONSTANT)
#undef COPENSSL_CONSTANT

struct copenssl_functions {
#define COPENSSL_MEMBER(result, name, parameters) result (*name) parameters;
    COPENSSL_FUNCTIONS(COPENSSL_MEMBER)
#undef COPENSSL_MEMBER
};

/* Loads the library, permanently; 0 for success. */
static inline int copenssl_load(struct copenssl_functions *functions) {
    void *library = dlopen("libssl.so.3", RTLD_NOW | RTLD_LOCAL);
    if (!library) return -1;
    /* It depends on libcrypto, whose functions are found by it. */
#define COPENSSL_FIND(result, name, parameters) \
    functions->name = (result (*) parameters)dlsym(library, #name); \
    if (!functions->name) return -1;
    COPENSSL_FUNCTIONS(COPENSSL_FIND)
#undef COPENSSL_FIND
    return 0;
}

/* When a certificate ends, in seconds since 1970 (UTC); INT64_MIN when it does not say so. Frees the certificate. */
static inline int64_t copenssl_take_end(
    const struct copenssl_functions *functions, struct x509_st *certificate) {
    if (!certificate) return INT64_MIN;
    struct tm broken_down;
    int is_known = functions->ASN1_TIME_to_tm(functions->X509_get0_notAfter(certificate), &broken_down);
    functions->X509_free(certificate);
    return is_known == 1 ? (int64_t)timegm(&broken_down) : INT64_MIN;
}

/* When the first certificate of a text in PEM ends that ends; INT64_MIN when there is none. */
static inline int64_t copenssl_end_of_pem(const struct copenssl_functions *functions, const void *bytes, int count) {
    struct bio_st *reader = functions->BIO_new_mem_buf(bytes, count);
    if (!reader) return INT64_MIN;
    int64_t first = INT64_MIN;
    struct x509_st *certificate;
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
    struct ssl_ctx_st *context = functions->SSL_CTX_new(functions->TLS_client_method());
    struct ssl_st *connection = context ? functions->SSL_new(context) : 0;
    if (connection && functions->SSL_set_fd(connection, descriptor) == 1) {
        (void)functions->SSL_ctrl(
            connection, CSSL_CTRL_SET_TLSEXT_HOSTNAME, CTLSEXT_NAMETYPE_host_name, (void *)host);
        /* A server that demands our certificate ends the handshake, but has shown its own by then. */
        (void)functions->SSL_connect(connection);
        end = copenssl_take_end(functions, functions->SSL_get1_peer_certificate(connection));
    }
    if (connection) functions->SSL_free(connection);
    if (context) functions->SSL_CTX_free(context);
    return end;
}

#endif
