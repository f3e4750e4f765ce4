/* libcurl, loaded when something is sent to a server: no other process has it in its memory, and Bedside runs where it is
   not installed. What is used of it is declared here, so that its headers are not needed to build; a test compares the
   declarations with those headers. */
#ifndef BEDSIDE_CCURL_SHIM_H
#define BEDSIDE_CCURL_SHIM_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

struct curl_slist;

/* The functions that are used: result, name without `curl_`, parameters. The enumerations of its headers are `unsigned int`,
   but for the kind of an answer, which is never negative either. */
#define CCURL_FUNCTIONS(F) \
    F(unsigned int, global_init, (long flags)) \
    F(void *, easy_init, (void)) \
    F(void, easy_cleanup, (void *)) \
    F(void, easy_reset, (void *)) \
    F(unsigned int, easy_setopt, (void *, unsigned int option, ...)) \
    F(unsigned int, easy_perform, (void *)) \
    F(unsigned int, easy_getinfo, (void *, unsigned int info, ...)) \
    F(unsigned int, easy_send, (void *, const void *bytes, size_t count, size_t *sent)) \
    F(unsigned int, easy_recv, (void *, void *bytes, size_t size, size_t *count)) \
    F(const char *, easy_strerror, (unsigned int code)) \
    F(struct curl_slist *, slist_append, (struct curl_slist *, const char *text)) \
    F(void, slist_free_all, (struct curl_slist *))

/* The constants that are used, by their names in its headers. */
#define CCURL_CONSTANTS(C) \
    C(long, CURL_GLOBAL_DEFAULT, 3) \
    C(unsigned int, CURLOPT_WRITEDATA, 10001) C(unsigned int, CURLOPT_URL, 10002) \
    C(unsigned int, CURLOPT_WRITEFUNCTION, 20011) C(unsigned int, CURLOPT_POSTFIELDS, 10015) \
    C(unsigned int, CURLOPT_USERAGENT, 10018) C(unsigned int, CURLOPT_HTTPHEADER, 10023) \
    C(unsigned int, CURLOPT_CUSTOMREQUEST, 10036) C(unsigned int, CURLOPT_CAINFO, 10065) \
    C(unsigned int, CURLOPT_NOSIGNAL, 99) C(unsigned int, CURLOPT_POSTFIELDSIZE_LARGE, 30120) \
    C(unsigned int, CURLOPT_TIMEOUT_MS, 155) C(unsigned int, CURLOPT_CONNECTTIMEOUT_MS, 156) \
    C(unsigned int, CURLOPT_PROTOCOLS_STR, 10318) C(unsigned int, CURLOPT_CONNECT_ONLY, 141) \
    C(unsigned int, CURLOPT_SSL_ENABLE_ALPN, 226) C(unsigned int, CURLOPT_PROXY, 10004) \
    C(unsigned int, CURLINFO_ACTIVESOCKET, 0x50002C) C(unsigned int, CURLE_AGAIN, 81) \
    C(unsigned int, CURLINFO_RESPONSE_CODE, 0x200002) C(unsigned int, CURLINFO_RETRY_AFTER, 0x600039) \
    C(unsigned int, CURLE_COULDNT_RESOLVE_HOST, 6) C(unsigned int, CURLE_COULDNT_CONNECT, 7) \
    C(unsigned int, CURLE_WRITE_ERROR, 23) C(unsigned int, CURLE_OPERATION_TIMEDOUT, 28) \
    C(unsigned int, CURLE_SSL_CONNECT_ERROR, 35) C(unsigned int, CURLE_PEER_FAILED_VERIFICATION, 60) \
    C(unsigned int, CURLE_SSL_CACERT_BADFILE, 77)

#define CCURL_CONSTANT(type, name, value) static const type C##name = value;
CCURL_CONSTANTS(CCURL_CONSTANT)
#undef CCURL_CONSTANT

struct ccurl_functions {
#define CCURL_MEMBER(result, name, parameters) result (*name) parameters;
    CCURL_FUNCTIONS(CCURL_MEMBER)
#undef CCURL_MEMBER
};

/* Loads the library, permanently; 0 for success. The second name is that of the variant with GnuTLS. */
static inline int ccurl_load(struct ccurl_functions *functions) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) library = dlopen("libcurl-gnutls.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) return -1;
#define CCURL_FIND(result, name, parameters) \
    functions->name = (result (*) parameters)dlsym(library, "curl_" #name); \
    if (!functions->name) return -1;
    CCURL_FUNCTIONS(CCURL_FIND)
#undef CCURL_FIND
    return (int)functions->global_init(CCURL_GLOBAL_DEFAULT);
}

/* Swift calls no functions with a variable number of arguments. */
static inline unsigned int ccurl_set_text(
    const struct ccurl_functions *functions, void *handle, unsigned int option, const char *text) {
    return functions->easy_setopt(handle, option, text);
}

static inline unsigned int ccurl_set_pointer(
    const struct ccurl_functions *functions, void *handle, unsigned int option, const void *pointer) {
    return functions->easy_setopt(handle, option, pointer);
}

static inline unsigned int ccurl_set_number(
    const struct ccurl_functions *functions, void *handle, unsigned int option, long number) {
    return functions->easy_setopt(handle, option, number);
}

static inline unsigned int ccurl_set_large(
    const struct ccurl_functions *functions, void *handle, unsigned int option, int64_t number) {
    return functions->easy_setopt(handle, option, number);
}

static inline unsigned int ccurl_set_writer(
    const struct ccurl_functions *functions, void *handle, size_t (*write)(char *, size_t, size_t, void *)) {
    return functions->easy_setopt(handle, CCURLOPT_WRITEFUNCTION, write);
}

/* The status of the answer; 0 without one. */
static inline long ccurl_status(const struct ccurl_functions *functions, void *handle) {
    long status = 0;
    (void)functions->easy_getinfo(handle, CCURLINFO_RESPONSE_CODE, &status);
    return status;
}

/* The descriptor of a connection; -1 without one. */
static inline int ccurl_descriptor(const struct ccurl_functions *functions, void *handle) {
    int descriptor = -1;
    (void)functions->easy_getinfo(handle, CCURLINFO_ACTIVESOCKET, &descriptor);
    return descriptor;
}

/* The seconds after which the server wants to be asked again; 0 where it does not say so. */
static inline int64_t ccurl_retry_after(const struct ccurl_functions *functions, void *handle) {
    int64_t seconds = 0;
    (void)functions->easy_getinfo(handle, CCURLINFO_RETRY_AFTER, &seconds);
    return seconds;
}

#endif
