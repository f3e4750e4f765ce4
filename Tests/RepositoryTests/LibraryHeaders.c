/* The declarations of what is loaded at run time (`Sources/C`), held against the headers of the libraries: a pointer to
   each function as it is declared there must take the library's function, and each constant must have its value. */
#include <alsa/asoundlib.h>
#include <curl/curl.h>
#include <gcrypt.h>
#include <mosquitto.h>
#include <mqtt_protocol.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

#include "CALSA/shim.h"
#include "CCurl/shim.h"
#include "CGcrypt/shim.h"
#include "CMosquitto/shim.h"
#include "COpenSSL/shim.h"

#define FUNCTION(prefix, result, name, parameters) result (*check_##prefix##name) parameters = prefix##name;
#define ALSA(result, name, parameters) FUNCTION(snd_, result, name, parameters)
#define CURL_FUNCTION(result, name, parameters) FUNCTION(curl_, result, name, parameters)
#define GCRYPT(result, name, parameters) FUNCTION(gcry_, result, name, parameters)
#define MOSQUITTO(result, name, parameters) FUNCTION(mosquitto_, result, name, parameters)
#define OPENSSL(result, name, parameters) FUNCTION(, result, name, parameters)
CALSA_FUNCTIONS(ALSA)
CCURL_FUNCTIONS(CURL_FUNCTION)
CGCRYPT_FUNCTIONS(GCRYPT)
CMOSQUITTO_FUNCTIONS(MOSQUITTO)
COPENSSL_FUNCTIONS(OPENSSL)

#define CONSTANT(type, name, value) _Static_assert(name == (value), #name);
CALSA_CONSTANTS(CONSTANT)
CCURL_CONSTANTS(CONSTANT)
CGCRYPT_CONSTANTS(CONSTANT)
CMOSQUITTO_CONSTANTS(CONSTANT)
COPENSSL_CONSTANTS(CONSTANT)

#define MEMBER(name) \
    _Static_assert( \
        offsetof(struct cmosquitto_message, name) == offsetof(struct mosquitto_message, name) && \
            __builtin_types_compatible_p( \
                __typeof__(((struct cmosquitto_message *)0)->name), __typeof__(((struct mosquitto_message *)0)->name)), \
        #name);
MEMBER(mid) MEMBER(topic) MEMBER(payload) MEMBER(payloadlen) MEMBER(qos) MEMBER(retain)
