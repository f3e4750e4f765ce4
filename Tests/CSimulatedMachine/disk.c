#define _GNU_SOURCE
#include "machine.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * What is written to the files of one folder is on the disk when it was synchronised. When the power fails, of all that
 * was written since, each sector of 512 octets is there or is not, by chance; so a write can be lost, torn or out of order.
 */

enum { SECTOR = 512 };

/* What a write has replaced. */
struct change {
    struct change *before;
    dev_t device;
    ino_t file;
    char *path;
    off_t place, old_size;
    size_t size;
    char *old;
};

static struct change *newest;
static char folder[PATH_MAX];
static size_t folder_length;
static bool is_full;
static int64_t delay;

void disk_begin(const char *path) {
    folder_length = (size_t)snprintf(folder, sizeof folder, "%s/", path);
}

void disk_fill(bool full) { is_full = full; }

void disk_slow(int64_t time) { delay = time; }

/* The path of a file of the folder; NULL for every other. */
static const char *path_of(int descriptor, char path[PATH_MAX]) {
    if (folder_length == 0) return NULL;
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, PATH_MAX - 1);
    if (length < (ssize_t)folder_length) return NULL;
    path[length] = 0;
    return strncmp(path, folder, folder_length) == 0 ? path : NULL;
}

static void remember(int descriptor, const char *path, off_t place, size_t size) {
    struct stat status;
    if (fstat(descriptor, &status) != 0) return;
    struct change *change = calloc(1, sizeof *change);
    *change = (struct change){ newest, status.st_dev, status.st_ino, strdup(path), place, status.st_size, size, NULL };
    change->old = calloc(1, size ? size : 1);
    if (size > 0) (void)!REAL(pread)(descriptor, change->old, size, place);
    newest = change;
}

static void forget_changes(int descriptor) {
    struct stat status;
    if (fstat(descriptor, &status) != 0) return;
    for (struct change **place = &newest; *place;) {
        struct change *change = *place;
        if (change->file != status.st_ino || change->device != status.st_dev) {
            place = &change->before;
            continue;
        }
        *place = change->before;
        free(change->path);
        free(change->old);
        free(change);
    }
}

void disk_lose_power(void) {
    // The newest first, so that what was there before the oldest lost write comes back.
    int lost = 0, kept = 0;
    for (struct change *change = newest; change; change = change->before) {
        int file = open(change->path, O_RDWR | O_CLOEXEC);
        struct stat status;
        if (file < 0 || fstat(file, &status) != 0 || status.st_ino != change->file) {
            if (file >= 0) close(file);
            continue;
        }
        if (change->size == 0) {
            if (random_below(2)) (void)!REAL(ftruncate)(file, change->old_size);
        }
        for (size_t start = 0; start < change->size; start += SECTOR) {
            size_t part = change->size - start < SECTOR ? change->size - start : SECTOR;
            if (random_below(2)) {
                kept++;
                continue;
            }
            lost++;
            (void)!REAL(pwrite)(file, change->old + start, part, change->place + (off_t)start);
        }
        close(file);
    }
    tape_print('d', "%d sectors lost, %d kept", lost, kept);
}

static bool has_no_room(const char *path, size_t size) { return path && is_full && size > 0; }

REPLACED ssize_t pwrite(int descriptor, const void *octets, size_t size, off_t place) {
    char buffer[PATH_MAX];
    const char *path = machine_is_on ? path_of(descriptor, buffer) : NULL;
    if (has_no_room(path, size)) {
        errno = ENOSPC;
        return -1;
    }
    if (path) remember(descriptor, path, place, size);
    return REAL(pwrite)(descriptor, octets, size, place);
}

REPLACED ssize_t pwrite64(int descriptor, const void *octets, size_t size, off_t place) {
    return pwrite(descriptor, octets, size, place);
}

REPLACED int ftruncate(int descriptor, off_t size) {
    char buffer[PATH_MAX];
    const char *path = machine_is_on ? path_of(descriptor, buffer) : NULL;
    struct stat status;
    if (path && fstat(descriptor, &status) == 0) {
        // Shorter: the end comes back, or does not; longer: it is gone again, or is not.
        size_t shorter = status.st_size > size ? (size_t)(status.st_size - size) : 0;
        remember(descriptor, path, size, shorter);
    }
    return REAL(ftruncate)(descriptor, size);
}

REPLACED int ftruncate64(int descriptor, off_t size) { return ftruncate(descriptor, size); }

static void wait_for_disk(void) {
    if (machine_is_on && delay > 0) threads_sleep(clocks_now() + (int64_t)random_below((uint64_t)delay * 2));
}

REPLACED int fsync(int descriptor) {
    char buffer[PATH_MAX];
    if (!machine_is_on || !path_of(descriptor, buffer)) return machine_is_on ? 0 : REAL(fsync)(descriptor);
    wait_for_disk();
    forget_changes(descriptor);
    return 0;
}

REPLACED int fdatasync(int descriptor) {
    if (!machine_is_on) return REAL(fdatasync)(descriptor);
    return fsync(descriptor);
}
