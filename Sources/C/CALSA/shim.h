/* alsa-lib, loaded when it is needed: only the process that sounds has it in its memory, and Bedside runs without it. */
#ifndef BEDSIDE_CALSA_SHIM_H
#define BEDSIDE_CALSA_SHIM_H

#include <alsa/asoundlib.h>
#include <dlfcn.h>

/* The functions that are used, with the types of their declarations. */
struct calsa_functions {
    __typeof__(snd_pcm_open) *open;
    __typeof__(snd_pcm_close) *close;
    __typeof__(snd_pcm_set_params) *set_params;
    __typeof__(snd_pcm_writei) *writei;
    __typeof__(snd_pcm_readi) *readi;
    __typeof__(snd_pcm_recover) *recover;
    __typeof__(snd_pcm_drain) *drain;
    __typeof__(snd_strerror) *strerror;
};

/* alsa-lib would otherwise print its errors to standard error; the handler's type is variadic. */
static inline void calsa_ignore(const char *file, int line, const char *function, int error, const char *format, ...) {}

/* Loads the library; 0 for success. */
static inline int calsa_load(struct calsa_functions *functions) {
    void *library = dlopen("libasound.so.2", RTLD_NOW | RTLD_LOCAL);
    if (!library) return -1;
    __typeof__(snd_lib_error_set_handler) *set_handler =
        (__typeof__(set_handler))dlsym(library, "snd_lib_error_set_handler");
    functions->open = (__typeof__(functions->open))dlsym(library, "snd_pcm_open");
    functions->close = (__typeof__(functions->close))dlsym(library, "snd_pcm_close");
    functions->set_params = (__typeof__(functions->set_params))dlsym(library, "snd_pcm_set_params");
    functions->writei = (__typeof__(functions->writei))dlsym(library, "snd_pcm_writei");
    functions->readi = (__typeof__(functions->readi))dlsym(library, "snd_pcm_readi");
    functions->recover = (__typeof__(functions->recover))dlsym(library, "snd_pcm_recover");
    functions->drain = (__typeof__(functions->drain))dlsym(library, "snd_pcm_drain");
    functions->strerror = (__typeof__(functions->strerror))dlsym(library, "snd_strerror");
    if (!set_handler || !functions->open || !functions->close || !functions->set_params || !functions->writei ||
        !functions->readi || !functions->recover || !functions->drain || !functions->strerror)
        return -1;
    set_handler(calsa_ignore);
    return 0;
}

#endif
