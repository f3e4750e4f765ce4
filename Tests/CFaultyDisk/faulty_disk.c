#include "faulty_disk.h"

#include <errno.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

enum { DISKS = 64, LISTS = 16 };

/* A broken disk. */
struct disk {
    char *place;
    int kinds, first, code, error, seen, failures;
};

/* A list of operations. */
struct list {
    char *place;
    struct faulty_operation *operations;
    int length, room;
};

/* A file of SQLite over the one of the system, which follows it in memory. */
struct file {
    sqlite3_file base;
    sqlite3_io_methods methods;
    const char *path;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct disk disks[DISKS];
static struct list lists[LISTS];
static sqlite3_vfs *below;
static sqlite3_vfs layer;

static sqlite3_file *real(sqlite3_file *file) { return (sqlite3_file *)((struct file *)file + 1); }

/* Whether an operation fails: a result code, or SQLITE_OK. */
static int fault(sqlite3_file *file, int kind) {
    const char *path = ((struct file *)file)->path;
    int code = SQLITE_OK, error = 0;
    if (!path) return SQLITE_OK;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < DISKS && code == SQLITE_OK; i++) {
        struct disk *disk = &disks[i];
        if (!disk->place || !(disk->kinds & kind) || strncmp(path, disk->place, strlen(disk->place)) != 0) continue;
        if (disk->seen++ < disk->first) continue;
        disk->failures++;
        code = disk->code;
        error = disk->error;
    }
    pthread_mutex_unlock(&lock);
    if (code != SQLITE_OK) errno = error;
    return code;
}

/* Adds what was done to a file to the lists that it belongs to. */
static void note_path(const char *path, int kind, sqlite3_int64 place, const void *octets, int count) {
    if (!path) return;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < LISTS; i++) {
        struct list *list = &lists[i];
        if (!list->place || strncmp(path, list->place, strlen(list->place)) != 0) continue;
        if (list->length == list->room) {
            list->room = list->room ? 2 * list->room : 1024;
            list->operations = realloc(list->operations, (size_t)list->room * sizeof *list->operations);
        }
        unsigned char *copy = count ? malloc((size_t)count) : NULL;
        if (count) memcpy(copy, octets, (size_t)count);
        list->operations[list->length++] = (struct faulty_operation){strdup(path), kind, place, count, copy};
    }
    pthread_mutex_unlock(&lock);
}

static void note(sqlite3_file *file, int kind, sqlite3_int64 place, const void *octets, int count) {
    note_path(((struct file *)file)->path, kind, place, octets, count);
}

#define METHODS(file) (real(file)->pMethods)

static int close_file(sqlite3_file *file) { return METHODS(file)->xClose(real(file)); }

static int read_file(sqlite3_file *file, void *octets, int count, sqlite3_int64 place) {
    int code = fault(file, FAULTY_READ);
    return code ? code : METHODS(file)->xRead(real(file), octets, count, place);
}

static int write_file(sqlite3_file *file, const void *octets, int count, sqlite3_int64 place) {
    int code = fault(file, FAULTY_WRITE);
    if (!code) {
        code = METHODS(file)->xWrite(real(file), octets, count, place);
        if (!code) note(file, FAULTY_WRITE, place, octets, count);
        return code;
    }
    int error = errno;
    sqlite3_int64 size = 0;
    METHODS(file)->xFileSize(real(file), &size);
    /* What is there keeps its room; only what would be new finds none. */
    if (place + count > size) METHODS(file)->xWrite(real(file), octets, count / 2, place);
    errno = error;
    return code;
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size) {
    int code = fault(file, FAULTY_TRUNCATE);
    if (!code) code = METHODS(file)->xTruncate(real(file), size);
    if (!code) note(file, FAULTY_TRUNCATE, size, NULL, 0);
    return code;
}

static int sync_file(sqlite3_file *file, int flags) {
    int code = fault(file, FAULTY_SYNC);
    if (!code) code = METHODS(file)->xSync(real(file), flags);
    if (!code) note(file, FAULTY_SYNC, 0, NULL, 0);
    return code;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size) { return METHODS(file)->xFileSize(real(file), size); }
static int lock_file(sqlite3_file *file, int level) { return METHODS(file)->xLock(real(file), level); }
static int unlock_file(sqlite3_file *file, int level) { return METHODS(file)->xUnlock(real(file), level); }

static int is_reserved(sqlite3_file *file, int *answer) {
    return METHODS(file)->xCheckReservedLock(real(file), answer);
}

static int control(sqlite3_file *file, int operation, void *argument) {
    return METHODS(file)->xFileControl(real(file), operation, argument);
}

static int sector_size(sqlite3_file *file) { return METHODS(file)->xSectorSize(real(file)); }
static int characteristics(sqlite3_file *file) { return METHODS(file)->xDeviceCharacteristics(real(file)); }

static int map_index(sqlite3_file *file, int page, int size, int extends, void volatile **answer) {
    int code = extends ? fault(file, FAULTY_MAP) : SQLITE_OK;
    return code ? code : METHODS(file)->xShmMap(real(file), page, size, extends, answer);
}

static int lock_index(sqlite3_file *file, int offset, int count, int flags) {
    return METHODS(file)->xShmLock(real(file), offset, count, flags);
}

static void barrier(sqlite3_file *file) { METHODS(file)->xShmBarrier(real(file)); }
static int unmap_index(sqlite3_file *file, int deletes) { return METHODS(file)->xShmUnmap(real(file), deletes); }

static int open_file(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *answer) {
    struct file *opened = (struct file *)file;
    (void)vfs;
    memset(opened, 0, sizeof *opened);
    int code = below->xOpen(below, path, real(file), flags, answer);
    if (!real(file)->pMethods) return code;
    opened->path = path;
    opened->methods = (sqlite3_io_methods){
        .iVersion = real(file)->pMethods->iVersion < 2 ? 1 : 2,
        .xClose = close_file, .xRead = read_file, .xWrite = write_file, .xTruncate = truncate_file, .xSync = sync_file,
        .xFileSize = file_size, .xLock = lock_file, .xUnlock = unlock_file, .xCheckReservedLock = is_reserved,
        .xFileControl = control, .xSectorSize = sector_size, .xDeviceCharacteristics = characteristics,
        .xShmMap = map_index, .xShmLock = lock_index, .xShmBarrier = barrier, .xShmUnmap = unmap_index,
    };
    opened->base.pMethods = &opened->methods;
    return code;
}

static int delete_file(sqlite3_vfs *vfs, const char *path, int syncs) {
    (void)vfs;
    int code = below->xDelete(below, path, syncs);
    if (!code) note_path(path, FAULTY_REMOVE, 0, NULL, 0);
    return code;
}

static int last_error(sqlite3_vfs *vfs, int count, char *text) {
    (void)vfs, (void)count, (void)text;
    return errno;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int installed;

static void install(void) {
    below = sqlite3_vfs_find(NULL);
    if (!below) { installed = SQLITE_ERROR; return; }
    layer = *below;
    layer.szOsFile = (int)sizeof(struct file) + below->szOsFile;
    layer.pNext = NULL;
    layer.zName = "faulty";
    layer.xOpen = open_file;
    layer.xDelete = delete_file;
    layer.xGetLastError = last_error;
    installed = sqlite3_vfs_register(&layer, 1);
}

int faulty_disk_install(void) {
    pthread_once(&once, install);
    return installed;
}

int faulty_disk_break(const char *place, int kinds, int first, int code, int error) {
    int found = -1;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < DISKS && found < 0; i++) {
        if (disks[i].place) continue;
        disks[i] = (struct disk){strdup(place), kinds, first, code, error, 0, 0};
        found = i;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

int faulty_disk_failures(int disk) {
    pthread_mutex_lock(&lock);
    int failures = disks[disk].failures;
    pthread_mutex_unlock(&lock);
    return failures;
}

void faulty_disk_repair(int disk) {
    pthread_mutex_lock(&lock);
    free(disks[disk].place);
    disks[disk].place = NULL;
    pthread_mutex_unlock(&lock);
}

int faulty_disk_record(const char *place) {
    int found = -1;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < LISTS && found < 0; i++) {
        if (lists[i].place) continue;
        lists[i] = (struct list){strdup(place), NULL, 0, 0};
        found = i;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

int faulty_disk_length(int list) {
    pthread_mutex_lock(&lock);
    int length = lists[list].length;
    pthread_mutex_unlock(&lock);
    return length;
}

struct faulty_operation faulty_disk_operation(int list, int number) {
    pthread_mutex_lock(&lock);
    struct faulty_operation operation = lists[list].operations[number];
    pthread_mutex_unlock(&lock);
    return operation;
}

void faulty_disk_forget(int list) {
    pthread_mutex_lock(&lock);
    for (int i = 0; i < lists[list].length; i++) {
        free((void *)lists[list].operations[i].path);
        free((void *)lists[list].operations[i].octets);
    }
    free(lists[list].operations);
    free(lists[list].place);
    lists[list] = (struct list){NULL, NULL, 0, 0};
    pthread_mutex_unlock(&lock);
}
