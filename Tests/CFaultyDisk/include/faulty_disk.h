/* A disk that fails, or loses its power, for SQLite in this process: a layer over its files that lets operations fail from
   the n-th one on, and keeps a list of them, from which a test makes what a power cut may leave. */
#ifndef BEDSIDE_FAULTY_DISK_H
#define BEDSIDE_FAULTY_DISK_H

/* What may fail; a set of these. */
enum {
    FAULTY_WRITE = 1,     /* writing octets */
    FAULTY_TRUNCATE = 2,  /* changing the size */
    FAULTY_SYNC = 4,      /* bringing what was written onto the disk */
    FAULTY_READ = 8,      /* reading octets */
    FAULTY_MAP = 16,      /* the index of the log, which is mapped */
    FAULTY_REMOVE = 32,   /* removing a file; it is listed, and never fails */
};

/* Puts the layer under all files that this process opens with SQLite from now on; answers a result code of SQLite. */
int faulty_disk_install(void);

/* Lets operations on files whose path begins with `place` fail from number `first` (from 0) on, with SQLite's result
   `code` and the system's `error`, until the disk is repaired. A write puts down half of its octets before it fails.
   Answers a number for the functions below, or -1 when too many disks are broken. */
int faulty_disk_break(const char *place, int kinds, int first, int code, int error);

/* How many operations have failed. */
int faulty_disk_failures(int disk);

/* Ends the faults; the number may be used for another disk. */
void faulty_disk_repair(int disk);

/* Something that was done to a file: FAULTY_WRITE, FAULTY_TRUNCATE (to the size `place`), FAULTY_SYNC or FAULTY_REMOVE. */
struct faulty_operation {
    const char *path;
    int kind;
    long long place;
    int count;
    const unsigned char *octets;
};

/* Keeps a list of all that is done to files whose path begins with `place`. Answers a number for the functions below, or
   -1 when too many lists are kept. */
int faulty_disk_record(const char *place);

/* How many operations a list has. */
int faulty_disk_length(int list);

/* An operation of a list, by its number from 0; its memory is valid until the list is forgotten. */
struct faulty_operation faulty_disk_operation(int list, int number);

/* Ends a list; its number may be used for another one. */
void faulty_disk_forget(int list);

#endif
