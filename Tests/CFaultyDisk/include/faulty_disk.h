/* A disk that fails, for SQLite in this process: a layer over its files that lets operations fail from the n-th one on. */
#ifndef BEDSIDE_FAULTY_DISK_H
#define BEDSIDE_FAULTY_DISK_H

/* What may fail; a set of these. */
enum {
    FAULTY_WRITE = 1,     /* writing octets */
    FAULTY_TRUNCATE = 2,  /* changing the size */
    FAULTY_SYNC = 4,      /* bringing what was written onto the disk */
    FAULTY_READ = 8,      /* reading octets */
    FAULTY_MAP = 16,      /* the index of the log, which is mapped */
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

#endif
