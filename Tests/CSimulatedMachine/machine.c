#define _GNU_SOURCE
#include "machine.h"
#include "simulated_machine.h"

#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <unistd.h>

/*
 * A plan is text: first "seed N", "wall MILLISECONDS", "terminal COLUMNS ROWS", "disk FOLDER", perhaps "follow FOLDER" (another
 * program follows the monitor's status by the socket there), and "begin NANOSECONDS", the time at which the machine is switched
 * on; then what happens, each with its time in nanoseconds, in their order:
 *
 *     TIME key HEX                 somebody types
 *     TIME resize COLUMNS ROWS     the window has another size
 *     TIME clock MILLISECONDS      the wall clock is set, by so much
 *     TIME suspend MILLISECONDS    the computer sleeps
 *     TIME bus LONGEST PIECES      messages are delayed by up to so many nanoseconds; so many of 1000 come in pieces
 *     TIME hold 1|0                the bus keeps all messages, or lets them go
 *     TIME drop                    a client loses its connection to the bus
 *     TIME broker away|back        nobody listens at the broker's place, or again somebody
 *     TIME broker silent           nothing is heard of the broker, and nothing reaches it, until it is back
 *     TIME broker drop             the broker ends its connections
 *     TIME lossy COUNT             of 1000 messages that nobody acknowledges, so many do not reach the broker
 *     TIME disk full|free          the disk has no room
 *     TIME slow NANOSECONDS        each synchronisation takes so long
 *     TIME power                   the power fails
 *     TIME end                     the night is over, if the program has not ended
 */

bool machine_is_on;

void *machine_real(const char *name) {
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) machine_fail("no function %s", name);
    return found;
}

static FILE *plan;
static char line[4096];

/* Words of the plan's next line; the number of them. */
static int read_words(char *words[4]) {
    if (!fgets(line, sizeof line, plan)) return 0;
    line[strcspn(line, "\n")] = 0;
    int count = 0;
    char *rest = NULL;
    for (char *word = strtok_r(line, " ", &rest); word && count < 4; word = strtok_r(NULL, " ", &rest))
        words[count++] = word;
    for (int i = count; i < 4; i++) words[i] = "";
    return count;
}

static void type(const char *hexadecimal) {
    unsigned char octets[2048];
    size_t count = 0;
    for (unsigned int octet; sscanf(hexadecimal + 2 * count, "%2x", &octet) == 1 && count < sizeof octets; count++)
        octets[count] = (unsigned char)octet;
    terminal_type(octets, count);
}

static void carry_out(const char *what, const char *first, const char *second) {
    if (strcmp(what, "key") == 0) return type(first);
    if (strcmp(what, "resize") == 0) return terminal_resize(atoi(first), atoi(second));
    tape_print('f', "%s %s %s", what, first, second);
    if (strcmp(what, "clock") == 0) clocks_set_wall(atoll(first));
    else if (strcmp(what, "suspend") == 0) clocks_suspend(atoll(first));
    else if (strcmp(what, "bus") == 0) bus_disturb(atoll(first), atoi(second));
    else if (strcmp(what, "hold") == 0) bus_hold(atoi(first) != 0);
    else if (strcmp(what, "drop") == 0) bus_drop();
    else if (strcmp(what, "broker") == 0) broker_set(first);
    else if (strcmp(what, "lossy") == 0) broker_lose(atoi(first));
    else if (strcmp(what, "disk") == 0) disk_fill(strcmp(first, "full") == 0);
    else if (strcmp(what, "slow") == 0) disk_slow(atoll(first));
    else if (strcmp(what, "power") == 0) {
        disk_lose_power();
        tape_end();
        _exit(98);
    } else if (strcmp(what, "end") == 0) {
        tape_end();
        _exit(97);
    } else machine_fail("unknown word in the plan: %s", what);
}

static void *follow_plan(void *nothing) {
    char *words[4];
    while (read_words(words) > 0) {
        threads_sleep(atoll(words[0]));
        carry_out(words[1], words[2], words[3]);
    }
    threads_sleep(INT64_MAX);
    return nothing;
}

/* Work that Swift's concurrency gives to its pool of threads runs on one thread of the machine (the hooks of libswift_Concurrency). */

typedef __attribute__((swiftcall)) void (*enqueue_hook)(void *job, void *original);
typedef __attribute__((swiftcall)) void (*run_job)(void *job, void *executor, void *witnesses);

static void **jobs;
static size_t job_count, job_room;
static int has_jobs;
static run_job run;

static __attribute__((swiftcall)) void enqueue(void *job, void *original) {
    (void)original;
    if (job_count == job_room) jobs = realloc(jobs, (job_room = job_room * 2 + 16) * sizeof *jobs);
    jobs[job_count++] = job;
    has_jobs = 1;
}

static void *run_jobs(void *nothing) {
    for (;;) {
        threads_wait(&has_jobs);
        void *job = jobs[0];
        memmove(jobs, jobs + 1, --job_count * sizeof *jobs);
        has_jobs = job_count > 0;
        run(job, NULL, NULL);
    }
    return nothing;
}

static void replace_pool(void) {
    enqueue_hook *hook = dlsym(RTLD_DEFAULT, "swift_task_enqueueGlobal_hook");
    run = (run_job)dlsym(RTLD_DEFAULT, "swift_job_run");
    if (!hook || !run) machine_fail("the program does not show Swift's concurrency to other libraries");
    *hook = enqueue;
    threads_start(run_jobs, NULL);
}

static void at_end(void) {
    if (!machine_is_on) return;
    tape_print('e', "ended");
    tape_end();
}

/* Starts the program again with the same addresses each time, because the order of some sets follows from them. Where that is
   forbidden, as in some containers, a night is as good, but may be another one the next time. */
static void fix_addresses(void) {
    int present = personality(0xFFFFFFFF);
    if (present & ADDR_NO_RANDOMIZE) return;
    personality((unsigned long)present | ADDR_NO_RANDOMIZE);
    if (!(personality(0xFFFFFFFF) & ADDR_NO_RANDOMIZE)) return;
    static char arguments[65536], program[4096], *list[256];
    FILE *file = fopen("/proc/self/cmdline", "re");
    size_t size = file ? fread(arguments, 1, sizeof arguments - 1, file) : 0, count = 0;
    for (char *next = arguments; next < arguments + size && count < 255; next += strlen(next) + 1) list[count++] = next;
    if (readlink("/proc/self/exe", program, sizeof program - 1) > 0) execv(program, list);
    machine_fail("the program cannot be started again");
}

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv(SIMULATED_MACHINE_PLAN), *tape = getenv(SIMULATED_MACHINE_TAPE);
    if (!path || !tape) return;
    fix_addresses();
    // Not inherited, nor seen by the program.
    unsetenv("LD_PRELOAD");
    plan = fopen(path, "re");
    if (!plan) machine_fail("no plan: %s", path);
    tape_begin(tape);
    uint64_t seed = 0;
    int64_t wall = 0, start = 0;
    int columns = 80, rows = 24;
    char *words[4], *sockets = NULL;
    while (read_words(words) > 0 && strcmp(words[0], "begin") != 0) {
        if (strcmp(words[0], "seed") == 0) seed = strtoull(words[1], NULL, 10);
        else if (strcmp(words[0], "wall") == 0) wall = atoll(words[1]);
        else if (strcmp(words[0], "terminal") == 0) columns = atoi(words[1]), rows = atoi(words[2]);
        else if (strcmp(words[0], "disk") == 0) disk_begin(words[1]);
        else if (strcmp(words[0], "follow") == 0) sockets = strdup(words[1]);
        else machine_fail("unknown word in the plan's head: %s", words[0]);
    }
    start = atoll(words[1]);
    random_begin(seed);
    clocks_begin(wall);
    clocks_advance(start);
    terminal_begin(columns, rows);
    atexit(at_end);
    machine_is_on = true;
    threads_begin();
    threads_start(follow_plan, NULL);
    if (sockets) follower_begin(sockets);
    replace_pool();
}
