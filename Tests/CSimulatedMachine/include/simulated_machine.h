/* A library to load before all others (ld.so(8): LD_PRELOAD): the program then runs on a machine of which every step
   follows from one number. The article "Testing" describes it, and Tests/Simulation writes its plans. */
#ifndef BEDSIDE_SIMULATED_MACHINE_H
#define BEDSIDE_SIMULATED_MACHINE_H

/* The environment variables with the path of the plan, and of the file that what happens is written to. */
#define SIMULATED_MACHINE_PLAN "BEDSIDE_MACHINE_PLAN"
#define SIMULATED_MACHINE_TAPE "BEDSIDE_MACHINE_TAPE"

#endif
