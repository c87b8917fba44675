#pragma once

/// Counts what the calling thread allocates and locks, from here on.
void call_counter_begin(void);

/// Ends the counting.
void call_counter_end(void);

/// Blocks of memory that were asked for between the two.
unsigned long call_counter_allocations(void);

/// Mutexes that were locked between the two.
unsigned long call_counter_locks(void);
