#define _GNU_SOURCE
#include "include/allocation_count.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * What glibc calls its own functions by, so that none has to be looked up, which would allocate. Its `memusage` cannot
 * count here: it knows nothing of malloc_usable_size, by which Swift's arrays use all that they get.
 */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

/* Counted here until the file is there, and where there is none. */
static _Atomic uint64_t own;
static _Atomic uint64_t *counter = &own;

uint64_t allocation_count(void) { return atomic_load_explicit(counter, memory_order_relaxed); }

static void count(void) { atomic_fetch_add_explicit(counter, 1, memory_order_relaxed); }

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv(ALLOCATION_COUNT_FILE);
    int file = path == NULL ? -1 : open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) return;
    void *shared = mmap(NULL, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (shared != MAP_FAILED) counter = shared;
}

void *malloc(size_t size) {
    count();
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count();
    return __libc_calloc(number, size);
}

void *realloc(void *old, size_t size) {
    count();
    return __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    count();
    return __libc_memalign(alignment, size);
}

int posix_memalign(void **place, size_t alignment, size_t size) {
    count();
    *place = __libc_memalign(alignment, size);
    return *place == NULL ? ENOMEM : 0;
}
