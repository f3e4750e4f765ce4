/* alsa-lib, loaded when it is needed: only the process that sounds has it in its memory, and Bedside runs without it. What
   is used of it is declared here, so that its headers are not needed to build; a test compares the declarations with those
   headers. */
#ifndef BEDSIDE_CALSA_SHIM_H
#define BEDSIDE_CALSA_SHIM_H

#include <dlfcn.h>

struct _snd_pcm;

/* The functions that are used: result, name without `snd_`, parameters. */
#define CALSA_FUNCTIONS(F) \
    F(int, pcm_open, (struct _snd_pcm **, const char *name, unsigned int stream, int mode)) \
    F(int, pcm_close, (struct _snd_pcm *)) \
    F(int, pcm_set_params, (struct _snd_pcm *, int format, unsigned int access, unsigned int channels, \
        unsigned int rate, int resamples, unsigned int latency)) \
    F(long, pcm_writei, (struct _snd_pcm *, const void *samples, unsigned long count)) \
    F(long, pcm_readi, (struct _snd_pcm *, void *samples, unsigned long count)) \
    F(int, pcm_recover, (struct _snd_pcm *, int error, int is_silent)) \
    F(int, pcm_drain, (struct _snd_pcm *)) \
    F(const char *, strerror, (int error)) \
    F(int, lib_error_set_handler, (void (*handler)(const char *file, int line, const char *function, int error, \
        const char *format, ...)))

/* The constants that are used, by their names in its headers. */
#define CALSA_CONSTANTS(C) \
    C(unsigned int, SND_PCM_STREAM_PLAYBACK, 0) C(unsigned int, SND_PCM_STREAM_CAPTURE, 1) \
    C(int, SND_PCM_FORMAT_S16_LE, 2) C(unsigned int, SND_PCM_ACCESS_RW_INTERLEAVED, 3)

#define CALSA_CONSTANT(type, name, value) static const type C##name = value;
CALSA_CONSTANTS(CALSA_CONSTANT)
#undef CALSA_CONSTANT

struct calsa_functions {
#define CALSA_MEMBER(result, name, parameters) result (*name) parameters;
    CALSA_FUNCTIONS(CALSA_MEMBER)
#undef CALSA_MEMBER
};

/* alsa-lib would otherwise print its errors to standard error. */
static inline void calsa_ignore(const char *file, int line, const char *function, int error, const char *format, ...) {}

/* Loads the library; 0 for success. */
static inline int calsa_load(struct calsa_functions *functions) {
    void *library = dlopen("libasound.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!library) return -1;
#define CALSA_FIND(result, name, parameters) \
    functions->name = (result (*) parameters)dlsym(library, "snd_" #name); \
    if (!functions->name) return -1;
    CALSA_FUNCTIONS(CALSA_FIND)
#undef CALSA_FIND
    functions->lib_error_set_handler(calsa_ignore);
    return 0;
}

#endif
