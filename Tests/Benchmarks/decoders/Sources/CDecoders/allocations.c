/* Counts what is allocated in this program, which is linked so that every module calls this allocator. */
#include "../../../../CAllocationCount/count.c"

#include "decoders.h"

#include <time.h>

uint64_t processor_nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}
