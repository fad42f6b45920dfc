/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * barepmu: the generic netlink protocol between barepmu.ko and its readers
 *
 * Family "barepmu", version 1, initial network namespace only. Every request
 * is validated strictly: an unknown attribute is an error. Every refusal
 * carries an extended ack with a sentence, and the offending attribute where
 * there is one.
 *
 * A SESSION belongs to its owner, the socket that configured it. There is at most one session. It
 * ends when the owner releases it, when the owner's socket is closed, for instance because its
 * process died, and when the machine reboots or starts another kernel by kexec. Every register that
 * the module has written then holds again what it held before.
 *
 *   state       CONFIGURE  START       SAMPLE, SWAP  READ  STOP      RELEASE
 *   IDLE        -> READY   -           -             -     -         yes
 *   READY       -> READY   -> RUNNING  -             yes   -         -> IDLE
 *   RUNNING     -          -           yes           yes   -> READY  -> IDLE
 *
 * "-" is refused.
 *
 * CONFIGURE, START, SWAP and READ need CAP_PERFMON or CAP_SYS_ADMIN in the initial user
 * namespace, and a kernel whose lockdown does not forbid perf. Switching prefetchers needs
 * CAP_SYS_RAWIO as well. From Linux 6.12 on, where a kernel module can ask the security modules,
 * the error is EACCES if one of them forbids the sender to count kernel events by perf. All
 * requests but CONFIGURE and GET_INFO must come from the owner. READ and GET_PLAN are also open to
 * members of the group that the module parameter reader_gid names: they get copies and can change
 * nothing. GET_INFO is open to all. If a request needs a capability or a group, both the process
 * that sends the request and the process that opened the socket need it.
 *
 * A COUNTER is named by its number:
 *
 *   i                          general counter i of the core
 *   BPMU_COUNTER_FIXED + n     fixed counter n of the core
 *   BPMU_COUNTER_METRICS       Intel's register PERF_METRICS
 *   BPMU_COUNTER_IBS_OP        AMD: the count by which instruction-based sampling (IBS) of a
 *                              logical CPU chooses an op
 *   BPMU_COUNTER_IBS_FETCH     AMD: the count by which it chooses a fetch of code
 *
 * On Intel the first three are the counters' bits in IA32_PERF_GLOBAL_CTRL. Other numbers are of
 * counters outside of cores; c is the index of a counter in its box:
 *
 *   BPMU_COUNTER_UNCORE + b * BPMU_COUNTERS_PER_BOX + c
 *                              uncore box b of a client's package. Box 0 is the uncore clock, box 1
 *                              the arbiter (on Nehalem and Westmere the global queue); the further
 *                              boxes are slices of the last level cache
 *   BPMU_COUNTER_PCU + c       the power control unit of a server's package
 *   BPMU_COUNTER_UBOX + c      the UBox of a server's package
 *   BPMU_COUNTER_L3 + c        AMD: the L3 of a core complex; on Jaguar its L2
 *   BPMU_COUNTER_DF + c        AMD: the data fabric of a node, which is a package as a rule; before
 *                              Zen the northbridge of a node
 *
 * The following numbers are of counters of all boxes of a kind in a package. Counter c has the same
 * select in all these boxes, and its value is the sum over them:
 *
 *   BPMU_COUNTER_CHA + c       the CBos or CHAs of a server
 *   BPMU_COUNTER_IMC + c       the memory channels of a server, or the memory controllers of a
 *                              client
 *   BPMU_COUNTER_HA + c        the home agents of a server
 *   BPMU_COUNTER_LINK + c      the links of a server to other packages
 *   BPMU_COUNTER_IIO + c       the IIO stacks of a server
 *   BPMU_COUNTER_IRP + c       the IRPs of a server
 *   BPMU_COUNTER_UMC + c       AMD: the memory controllers
 *   BPMU_COUNTER_EDC_ECLK + c  Knights Landing: the MCDRAM controllers (EDCs), at the MCDRAM's
 *                              clock
 *   BPMU_COUNTER_EDC_UCLK + c  Knights Landing: the MCDRAM controllers, at the mesh's clock
 *   BPMU_COUNTER_IMC_UCLK + c  Knights Landing: the DDR4 controllers, at the mesh's clock
 *   BPMU_COUNTER_M2PCIE + c    Knights Landing: M2PCIe
 *
 * The last counter of some boxes counts only their clock: of the UBox and of memory channels up to
 * Ice Lake, and of Knights Landing's boxes except M2PCIe.
 *
 * A FREE-RUNNING REGISTER (energy, APERF, C-state residency, temperature) counts
 * without being programmed, and everybody may read it: it needs no counter, is
 * reserved by nobody, and its select is 0. Register r is counter
 * BPMU_COUNTER_FREE + r; enum bpmu_free_id of arch/free.h numbers the registers. The registers of a
 * logical CPU form one group, those of a core another, and those of a package a third. Each such
 * group is read at each sample and not multiplexed. The registers of a core are read by one CPU of
 * the session in that core; the registers of a package (on Intel, of a die) by one CPU in it.
 *
 * GROUPS: events that do not fit on the counters together are in several groups, which are
 * multiplexed: each interval belongs to one group, and each sample names its group. Each bank (enum
 * bpmu_bank_id) multiplexes its groups independently of all other banks. If several CPUs share a
 * bank, one of them that is in the session reads it. On a hybrid part this is a CPU of the same
 * core type as the session's lowest CPU, unless the bank has free-running registers.
 *
 * A SELECT value has the layout of IA32_PERFEVTSELx: event 7:0, umask 15:8, usr 16, os 17, edge 18,
 * any 21, inv 23, cmask 31:24. The module sets the enable bit (22) itself. Legal are:
 *
 *   core                  the fields that the part has; usr, os or both are needed
 *   fixed counter         usr, os and any
 *   PERF_METRICS          usr and os; bits 10:8 are for the reader's own use
 *   L3                    event, umask, and in bits 63:42 the threads, cores and slices that are
 *                         counted (arch/amd_uncore.c); without a thread the event counts nothing
 *   data fabric           event and umask, which go on in higher bits (arch/amd_uncore.c)
 *   memory controller     AMD: event, and in bits 9:8 reads (1), writes (2) or both (0, 3); Intel's
 *                         clients: event, edge, and in bits 11:8 a mask of channels
 *   CBo                   event, umask, edge, inv, cmask, and on servers in bit 19 the filter's
 *                         thread; the same without bit 19 for an arbiter and a global queue
 *   PCU                   event, edge, inv, in bits 15:14 the C-state, a threshold of five bits,
 *                         and in bits 31:30 edge and invert of the number of cores
 *   UBox                  event, umask, edge, inv, and a threshold of five bits
 *   memory channel, home agent, link, IRP, EDC, M2PCIe
 *                         event, umask, edge, inv, cmask; a link's event goes on in bit 21
 *   IIO stack             event, umask, edge, inv, in bits 35:24 a threshold of twelve bits, in
 *                         bits 43:36 (from Ice Lake on 47:36) the parts of the stack that are
 *                         counted, and in bits 46:44 (from Ice Lake on 50:48) the flow control
 *                         classes that are counted; without a part and a class most events count
 *                         nothing
 *   clock of any box      nothing: the select is 0
 *
 * Outside of cores neither usr, os nor any is legal, and on Ivy Bridge's servers inv is not legal
 * either. From Ice Lake on the umask of some servers' boxes goes on in bits 63:32. From Sapphire
 * Rapids on a PCU and a UBox have the fields of an arbiter. The legal bits of a core's select on
 * the part at hand are BPMU_A_INFO_SELECT_MASK. INT, pin control and reserved bits are always
 * refused.
 *
 * A FILTER says which opcodes, states of a line, nodes or threads some events of CBos
 * count (arch/intel_server.c). A CBo has one filter for all its counters: two events of a group
 * that use the same field of the filter are refused if they need different values. Bits that an
 * event does not use are 0. The filter of a PCU has four bytes, one for each of its four band
 * events: the frequency from which on that event counts.
 *
 * For a core's event the filter is the value of the event's extra register: of MSR_OFFCORE_RSP_0
 * or 1, of MSR_PEBS_FRONTEND, or of MSR_OMR_0 to 3 (arch/intel_extra.c). Refused are bits that are
 * reserved on the part, and two values for one register in a group.
 *
 * Requests and replies
 * --------------------
 *
 * BPMU_CMD_GET_INFO, anyone
 *   request    BPMU_A_INFO_CPU        u32, the CPU that is asked about; absent: the
 *                                     first online CPU
 *   reply      BPMU_A_INFO_*, all others but ISOLATED; BPMU_A_INFO_BUSY only for
 *              callers who may configure, and only if it holds;
 *              BPMU_A_INFO_STATUS, BPMU_A_INFO_SELECTS,
 *              BPMU_A_INFO_FOREIGN and BPMU_A_INFO_OBSTACLES, the present contents of
 *              registers, only for callers who may configure and who name an online CPU
 *
 * BPMU_CMD_GET_INFO, anyone, a dump: lists whose length grows with the machine
 *   request    BPMU_A_INFO_CPU        as above
 *   reply      messages with a part of a list each; an empty list is not sent
 *              BPMU_A_CPUS            the online CPUs of the core type of that CPU:
 *                                     a hybrid part has two core types, or three
 *              BPMU_A_INFO_ISOLATED   online CPUs that the kernel keeps free of timers
 *              BPMU_A_FAILURE         nested, for each failure of the session
 *                BPMU_A_FAILURE_CPU     u32
 *                BPMU_A_FAILURE_WHAT    u32, enum bpmu_bank_id: a bank that this CPU
 *                                       should read but cannot; or enum
 *                                       bpmu_failure
 *                BPMU_A_FAILURE_ERROR   u32, an errno
 *   A dump during which another run starts has NLM_F_DUMP_INTR.
 *
 * BPMU_CMD_CONFIGURE, needs the capability; takes the counters. A session of the
 * same owner ends first: if the new session then cannot take the counters (EADDRINUSE, EBUSY,
 * EIO, EROFS, ENOMEM with a sentence), there is no session, and BPMU_CMD_STATE is sent
 *   request    BPMU_A_CPUS            packed __u32 CPU numbers; absent: all
 *                                     online CPUs but those of
 *                                     BPMU_A_INFO_ISOLATED
 *              BPMU_A_GROUP           nested, 0 .. BPMU_MAX_GROUPS times
 *                BPMU_A_GROUP_EVENT   nested, 1 .. BPMU_MAX_COUNTERS times
 *                  BPMU_A_EVENT_COUNTER  u32, a counter's number
 *                  BPMU_A_EVENT_SELECT   u64, an event select
 *                  BPMU_A_EVENT_SIBLING  u32, the event's counter on the second
 *                                        thread of a core; absent: the same one
 *                  BPMU_A_EVENT_FILTER   u64, filter of the event's box, or the event's
 *                                        extra register; absent: 0
 *                  BPMU_A_EVENT_PERIOD   u32, BPMU_MIN_PERIOD .. BPMU_MAX_PERIOD: mean
 *                                        number of events between two interrupts of
 *                                        the counter; absent: no interrupts
 *                  BPMU_A_EVENT_FREQUENCY  u32, 1 .. BPMU_MAX_FREQUENCY: mean number of
 *                                        interrupts of the counter in a second; not with
 *                                        BPMU_A_EVENT_PERIOD
 *                  BPMU_A_EVENT_PRECISE  flag: records have the address of an
 *                                        instruction that caused the event
 *                  BPMU_A_EVENT_DATA     flag, with PRECISE, of events of memory
 *                                        accesses: records have the address of the data
 *              BPMU_A_OTHER_GROUP     the same for the CPUs of a hybrid part
 *                                     that have another core type than the lowest
 *                                     CPU of BPMU_A_CPUS; BPMU_A_GROUP is for the
 *                                     core type of that CPU. If the session has CPUs
 *                                     of both kinds, both attributes are given or none
 *              BPMU_A_UNCORE_GROUP    the same for counters outside of cores
 *              BPMU_A_FREE_GROUP      the same for free-running registers, at most
 *                                     one group each for those of a logical CPU,
 *                                     of a core, of a package, for all core
 *                                     types; at least one group on any bank
 *              BPMU_A_INTERVAL_NS     u64; absent or 0: counting mode, a sample
 *                                     is taken on request only, and there is no
 *                                     more than one group on a bank
 *              BPMU_A_TIMER           u32, enum bpmu_timer; absent: AUTO
 *              BPMU_A_BUFFER_SAMPLES  u32, samples held per CPU, rounded up to a
 *                                     power of two, at least the first samples
 *                                     of a run and BPMU_RESERVED_SAMPLES; absent:
 *                                     chosen by the module. All buffers together,
 *                                     also those of requests that other senders
 *                                     have under way, may not exceed the module
 *                                     parameter buffer_mib, in MiB
 *              BPMU_A_WATERMARK       u32, samples in one CPU's buffer from which
 *                                     on the watermark message is sent, at most
 *                                     the buffer less BPMU_RESERVED_SAMPLES,
 *                                     which the timer leaves free; absent: half
 *                                     of the buffer
 *              BPMU_A_PREFETCH        u32, bits of MSR 0x1A4: prefetchers of the
 *                                     CPUs' cores to be off in this session; the
 *                                     other prefetchers of BPMU_A_INFO_PREFETCH are
 *                                     on; absent: prefetchers stay as they are
 *              BPMU_A_TOP             u32, 1 .. 2^31 - 1: START sets the core's
 *                                     counters to this many events before their wrap.
 *                                     START and RELEASE clear their overflow bits,
 *                                     whoever set them. Absent: START changes neither
 *              BPMU_A_CHECK           u32, set of enum bpmu_check, for experiments with
 *                                     errors; PERIOD and FREEZE only if an event
 *                                     interrupts
 *              BPMU_A_WHO             flag: each sample says who was interrupted.
 *                                     Not with BPMU_TIMER_TICK. Such samples
 *                                     are for the owner only
 *              BPMU_A_CHAIN           u32, 1 .. BPMU_MAX_CHAIN: the record of an interrupt
 *                                     has call chains; maximum number of their addresses
 *              BPMU_A_BRANCHES        u32, enum bpmu_branch_kind: the record of an
 *                                     interrupt has the last branches of the thread, on
 *                                     parts with BPMU_A_INFO_BRANCHES, at the privilege
 *                                     levels of the events that interrupt; with CALLS,
 *                                     its call chain has callers that were recorded
 *              BPMU_A_BATCH           u32, 1 .. BPMU_A_INFO_BATCH: number of precise
 *                                     records that a CPU writes before it interrupts;
 *                                     absent: 1. More than one only if all events
 *                                     that interrupt have PRECISE and PERIOD; not with
 *                                     CHAIN, FREEZE and COUNTS, and with BRANCHES only
 *                                     on parts with adaptive records (debug store)
 *              BPMU_A_COUNTS          flag: the record of an interrupt has what all events
 *                                     of the group counted before it. Only if all events
 *                                     that interrupt have PRECISE, and the CPU writes the
 *                                     counters into its records (BPMU_A_INFO_BATCH is
 *                                     more than 1 and BPMU_A_INFO_PEBS more than 6)
 *              BPMU_A_TAKE_OVER       flag: counters that are enabled already,
 *                                     by firmware or by the kernel that booted this
 *                                     one by kexec, are taken nevertheless, and
 *                                     enabled again at the end. Refused with version 6
 *                                     of the PMU, where counters that perf has enabled
 *                                     look the same
 *   reply      BPMU_A_RECORD_SIZE     u32, bytes of one sample record
 *
 * BPMU_CMD_START, BPMU_CMD_STOP, BPMU_CMD_RELEASE, the owner
 *   request    nothing
 *   reply      the acknowledgment
 *   START stores the first samples of a run, one per CPU and group, with BPMU_SAMPLE_START; STOP
 *   stores the last sample of each CPU, with BPMU_SAMPLE_STOP. A sample holds raw
 *   counter values: a count is the difference of two samples of a group, modulo 2^n for a
 *   counter of n bits. If groups are multiplexed, a group's values go on
 *   from where they stood when its last slice ended. In a group with
 *   BPMU_COUNTER_METRICS that register and fixed counter 3 begin at 0 after
 *   each sample, so that their values are those of the interval.
 *
 *   On parts where an event also adds to the sibling thread's counter of the same
 *   index (Intel's errata BJ122, BV98, HSD29), a configuration that uses that
 *   counter on the sibling is refused, unless BPMU_A_CHECK has LEAK.
 *
 *   An event of the core with BPMU_A_EVENT_PERIOD or BPMU_A_EVENT_FREQUENCY interrupts, on parts
 *   whose interrupts the module handles, and each interrupt stores a record of who was interrupted.
 *   It is an NMI, so code that runs with interrupts off is seen as well. The interrupt comes some
 *   instructions after the overflow (skid). Unless BPMU_A_CHECK has PERIOD, a period is a random
 *   number, which differs from BPMU_A_EVENT_PERIOD by 1/16 at most, and is longer while interrupts
 *   would take more than a quarter of a CPU's time; each record has its own period. In samples the
 *   values of such an event increase across its interrupts, like those of other events. Such a
 *   session has one group of the core, and neither BPMU_A_TOP nor SWAP; with BPMU_COUNTER_METRICS
 *   it needs BPMU_A_COUNTS, and fixed counter 3 may not interrupt. Its records and samples are for
 *   the owner only. Its records have a buffer beside that of the samples, of BPMU_A_BUFFER_SAMPLES
 *   records at least, if their call chains have a fourth of BPMU_A_CHAIN addresses.
 *
 *   With BPMU_A_EVENT_FREQUENCY the mean period is BPMU_MIN_PERIOD at first. At each interrupt of
 *   the event it moves towards the period that fits how often the event happened in the last eight
 *   or so intervals that were asked for. It stays between BPMU_MIN_PERIOD and BPMU_MAX_PERIOD, so
 *   that rare events interrupt less often than was asked for.
 *
 *   With BPMU_A_EVENT_PRECISE the CPU itself writes down which instruction caused the first event
 *   after the period (PEBS: the architectural one, or one of formats 1 to 6 in a debug store). The
 *   address of the instruction has no skid, but in format 1 is that of the next instruction; the
 *   record's @tsc is the time of the event or, up to format 2, of the interrupt. Up to Skylake
 *   (format 3) few events have such records, and those of general counters 0 to 3 only. Up to
 *   format 2, if two counters have overflowed together, one event at least is counted as lost. The
 *   record names the thread that was interrupted right after the event. It has a
 *   BPMU_SECTION_RETIRED if the CPU has written down that latency.
 *
 *   With BPMU_A_EVENT_DATA the record has a BPMU_SECTION_OP, too, with the address of what the
 *   instruction loaded or stored, on parts whose records in a debug store have it. Records of the
 *   load latency, an event with the extra register 3F6H, which has the threshold in core cycles,
 *   also have the source of the data and how long the load took; those of the store latency how
 *   long the store took. On parts where the load latency needs an auxiliary event, 03H with unit
 *   mask 82H, the same group must count it. The load latency is only counted with PRECISE; before
 *   adaptive records no other event of the group may have PRECISE beside it.
 *
 *   With BPMU_A_BATCH the CPU writes several such records into memory, and sets the counter back
 *   itself. The records become readable when it interrupts, when another thread begins to run on
 *   the CPU, and at each sample. Each has the exact number of events of its period; periods that
 *   begin between two such times are equal but for the events between overflow and record. If the
 *   CPU has no room for a record, which only a late NMI can cause, or if the module cannot read
 *   what the CPU has written, at least one loss is counted, and from then on samples have
 *   BPMU_SAMPLE_DISTURBED, because their values lack the period. So they have after a record that
 *   lacks its counter's value. In a debug store no record has it: the recorded event sets the
 *   counter back, and is counted as the only one after the overflow. If a thread executes another
 *   program before its records are read, they have the name of that program, but addresses of the
 *   one before.
 *
 *   With BPMU_A_COUNTS the record of an interrupt has a BPMU_SECTION_COUNTS: for each event of the
 *   group, in the group's order, what it counted from the end of the interrupt before to the event
 *   that was recorded. What the module's handler itself executes is in no record. The value of
 *   BPMU_COUNTER_METRICS has the register's layout, and is of the slots in the same section. If one
 *   record of the CPU is of several events, only the first of them has the section.
 *
 *   An event of BPMU_COUNTER_IBS_OP interrupts after a number of cycles or, with bit 0 of its
 *   select, of ops: the CPU then tags the next op that it dispatches, and when this op retires, it
 *   has registers that say what has become of it. The record has the op's address, without skid,
 *   and a BPMU_SECTION_OP. With bit 1 of the select only loads that miss the L3 are sampled, with n
 *   in bits 12:8 only loads whose data cache miss takes n * 128 cycles or more, which implies bit
 *   1, with bit 2 only non-temporal stores; where BPMU_A_INFO_IBS has these filters. An op is
 *   tagged at any privilege level: a period that ends with an op of a level that USR and OS of the
 *   select leave out has no record, and is not in the value. Periods are multiples of 16. What
 *   happens from a tag to the end of its interrupt is in no period. Such events do not have
 *   PRECISE, and need not have a part where other events interrupt. The session is refused while
 *   another agent samples ops.
 *
 *   An event of BPMU_COUNTER_IBS_FETCH interrupts after a number of fetches of code, at most
 *   1048560: the CPU then tags the next fetch, and when its code has come, or the fetch is
 *   abandoned, it has registers that say what has become of it. The record has the address that was
 *   fetched and a BPMU_SECTION_FETCH. With bit 0 of the select the CPU begins its count at a random
 *   number, so that each period is up to 15 fetches shorter than the record says. With bit 1 only
 *   fetches that miss the L3 are sampled, with n in bits 11:8 only those that take n * 128 cycles
 *   or more, where BPMU_A_INFO_IBS has these filters. Where erratum 1197 gives a fetch address 0,
 *   its record is lost. All else is as with BPMU_COUNTER_IBS_OP; a group may have events of both.
 *
 *   With BPMU_A_BRANCHES the CPU keeps its last taken branches in registers (LBR), as many as
 *   BPMU_A_INFO_BRANCHES says, and freezes them when a counter overflows. A record has the branches
 *   since the thread began to run on the CPU, at the privilege levels of all events that interrupt.
 *   Such a session is refused while another agent records branches.
 *
 *   With BPMU_BRANCH_KIND_CALLS the CPU keeps calls instead, and forgets each when it returns, so
 *   that the registers are a call stack: also of code without frame pointers, but only of functions
 *   that were called since the session started, and of the innermost of these if there are more
 *   than registers. When the CPU switches to another thread, the calls of the previous one are
 *   kept until it runs again. They are forgotten if another thread whose PID has the same lowest
 *   bits is kept meanwhile, if the thread runs meanwhile on a CPU without the session, and when it
 *   executes another program. The address of a call is one byte into the call instruction. A
 *   record has no BPMU_SECTION_BRANCHES then.
 *
 * BPMU_CMD_SAMPLE, the owner
 *   request    nothing
 *   reply      the acknowledgment, after each CPU has stored one sample
 *
 * BPMU_CMD_SWAP, the owner
 *   request    BPMU_A_GROUP, BPMU_A_OTHER_GROUP, BPMU_A_UNCORE_GROUP,
 *              BPMU_A_FREE_GROUP as for CONFIGURE
 *   reply      the acknowledgment, after each CPU has changed to these groups
 *   Each CPU stores a last sample of the old plan, flagged SWAP, and a first one
 *   of each group of the new plan, flagged START. All samples carry their plan's
 *   number. The session's other settings stay. A swap is a transaction: if a
 *   register of any CPU does not take its value (EIO), or a package lacks it
 *   (ENODEV), all CPUs go on with the old groups, and none of their counts are
 *   lost; the time of the attempt is not part of their running time.
 *
 *   SWAP and CONFIGURE return EAGAIN if another thread with the owner's
 *   socket has configured a session since the request was checked, or if a
 *   CPU went offline or came online meanwhile: the request can be sent again.
 *
 * BPMU_CMD_READ, the owner or a reader, a dump
 *   request    BPMU_A_FROM            packed struct bpmu_position: of each CPU that a
 *                                     position names, only the samples from its @seq
 *                                     on. Only for members of the group of reader_gid;
 *                                     the owner, too, then gets copies
 *   reply      messages of these types, oldest sample of each CPU first
 *              BPMU_A_SAMPLES         packed sample records of one CPU, each
 *                                     BPMU_A_RECORD_SIZE bytes
 *              BPMU_A_LOSS            nested, the samples that one CPU has dropped so far
 *                BPMU_A_LOSS_CPU        u32
 *                BPMU_A_LOSS_COUNT      u64, samples dropped since START
 *                BPMU_A_LOSS_TSC_FIRST  u64, TSC when the first one was dropped
 *                BPMU_A_LOSS_TSC_LAST   u64, TSC when the last one was dropped
 *              BPMU_A_OVERFLOWS       packed struct bpmu_overflow of one CPU, each of
 *                                     its @size; not with BPMU_A_FROM
 *              BPMU_A_OVERFLOW_LOSS   nested, as BPMU_A_LOSS, of these records
 *   Records that a dump has delivered to the owner are removed from the buffers. Another
 *   reader gets the samples that are still in memory; a gap in the numbers of a CPU's samples
 *   shows that some are not. A dump ends with NLM_F_DUMP_INTR when the next run
 *   starts: all samples of a dump are of one run.
 *   A reader gets kernel addresses if it has CAP_SYSLOG and kernel.kptr_restrict is not 2, or if
 *   it may configure and kernel.kptr_restrict is 0. For any other reader @ip of &struct bpmu_who,
 *   and each kernel address of a call chain, is 0 with BPMU_WHO_HIDDEN. Each kernel address of a
 *   branch is 0 too, with or without BPMU_WHO_HIDDEN.
 *   A record has BPMU_WHO_UNNAMED, and neither the thread's number and name nor an address in user
 *   space, in three cases: the reader's PID namespace does not have the thread; the thread is
 *   another user's, and the reader may neither configure nor trace all processes; or the thread has
 *   ended, unless the reader may configure or trace and is in the initial PID namespace.
 *
 * BPMU_CMD_GET_PLAN, the owner or a reader
 *   request    nothing
 *   reply      BPMU_A_CPUS, BPMU_A_GROUP, BPMU_A_OTHER_GROUP,
 *              BPMU_A_UNCORE_GROUP, BPMU_A_FREE_GROUP, BPMU_A_INTERVAL_NS,
 *              BPMU_A_TIMER, BPMU_A_BUFFER_SAMPLES, BPMU_A_CHAIN, BPMU_A_BATCH,
 *              BPMU_A_BRANCHES, BPMU_A_COUNTS as CONFIGURE and SWAP took them, with
 *              the timer that AUTO became
 *              BPMU_A_RECORD_SIZE, BPMU_A_INFO_STATE, BPMU_A_INFO_OWNER_PID,
 *              BPMU_A_INFO_OWNER_COMM
 *              BPMU_A_RUN             u32, a number that each CONFIGURE and START
 *                                     changes: while it is the same, samples are
 *                                     of the same run
 *              BPMU_A_PLAN            u32, the plan's number
 *
 * Multicast group "session"
 * -------------------------
 *
 * BPMU_CMD_STATE      the session changed: BPMU_A_INFO_STATE
 * BPMU_CMD_WATERMARK  a buffer has reached its watermark, or has lost a sample, for
 *                     the first time since the owner read it. The message is empty:
 *                     all buffers should be read
 * BPMU_CMD_FAILURE    a CPU could not be programmed when it came online or the
 *                     machine awoke: BPMU_A_FAILURE
 */
#ifndef _UAPI_LINUX_BAREPMU_H
#define _UAPI_LINUX_BAREPMU_H

#include <linux/types.h>

#define BPMU_FAMILY_NAME "barepmu"
#define BPMU_FAMILY_VERSION 1
#define BPMU_MCGRP_SESSION "session"

/**
 * enum bpmu_limits - limits of a configuration
 * @BPMU_COUNTER_FIXED: number of the first fixed counter
 * @BPMU_COUNTER_METRICS: number of Intel's PERF_METRICS register
 * @BPMU_COUNTER_IBS_OP: number of the count of ops or cycles by which AMD's instruction-based
 *	sampling (IBS) chooses an op
 * @BPMU_COUNTER_IBS_FETCH: number of the count of fetches by which it chooses a fetch of code
 * @BPMU_COUNTER_UNCORE: number of the uncore's first counter
 * @BPMU_COUNTERS_PER_BOX: distance between the numbers of the first counters of two uncore
 *	boxes
 * @BPMU_COUNTER_FREE: number of the first free-running register
 * @BPMU_COUNTER_L3: number of the first counter of a core complex's L3
 * @BPMU_COUNTER_DF: number of the first counter of a data fabric
 * @BPMU_COUNTER_UMC: number of the first counter of memory controllers
 * @BPMU_COUNTER_CHA: number of the first counter of CBos
 * @BPMU_COUNTER_PCU: number of the first counter of a package's power control unit
 * @BPMU_COUNTER_UBOX: number of the first counter of a package's UBox
 * @BPMU_COUNTER_IMC: number of the first counter of memory channels, or of a client's memory
 *	controllers
 * @BPMU_COUNTER_HA: number of the first counter of home agents
 * @BPMU_COUNTER_LINK: number of the first counter of links to other packages
 * @BPMU_COUNTER_IIO: number of the first counter of IIO stacks
 * @BPMU_COUNTER_IRP: number of the first counter of the IRPs of IIO stacks
 * @BPMU_COUNTER_EDC_ECLK: number of the first counter of Knights Landing's MCDRAM controllers at
 *	the MCDRAM's clock
 * @BPMU_COUNTER_EDC_UCLK: number of the first counter of Knights Landing's MCDRAM controllers
 *	at the mesh's clock
 * @BPMU_COUNTER_IMC_UCLK: number of the first counter of Knights Landing's DDR4 controllers at
 *	the mesh's clock
 * @BPMU_COUNTER_M2PCIE: number of the first counter of Knights Landing's M2PCIe
 * @BPMU_MAX_COUNTERS: maximum number of events in a group
 * @BPMU_MAX_GROUPS: maximum number of groups in a plan, per bank and core type
 * @BPMU_MIN_INTERVAL_NS: shortest interval between samples in ns, 0.1 ms
 * @BPMU_MAX_BUFFER_SAMPLES: maximum number of samples that the buffer of a CPU holds
 * @BPMU_RESERVED_SAMPLES: number of samples of a buffer that are kept free for the first and the
 * last samples of a run
 * @BPMU_MIN_PERIOD: minimum mean number of events between two interrupts of a counter
 * @BPMU_MAX_PERIOD: maximum mean number of events between two interrupts of a counter
 * @BPMU_MAX_FREQUENCY: maximum number of interrupts of an event per second that can be requested
 * @BPMU_MAX_CHAIN: maximum number of addresses in the call chains of an interrupt
 * @BPMU_MAX_BRANCHES: maximum number of branch records of an interrupt
 * @BPMU_MAX_BATCH: maximum number of precise records that a CPU writes before it interrupts
 */
enum bpmu_limits {
	BPMU_COUNTER_FIXED = 32,
	BPMU_COUNTER_METRICS = 48,
	BPMU_COUNTER_IBS_OP = 49,
	BPMU_COUNTER_IBS_FETCH = 50,
	BPMU_COUNTER_UNCORE = 64,
	BPMU_COUNTERS_PER_BOX = 8,
	BPMU_COUNTER_FREE = 256,
	BPMU_COUNTER_L3 = 320,
	BPMU_COUNTER_DF = 336,
	BPMU_COUNTER_UMC = 352,
	BPMU_COUNTER_CHA = 360,
	BPMU_COUNTER_PCU = 364,
	BPMU_COUNTER_UBOX = 368,
	BPMU_COUNTER_IMC = 384,
	BPMU_COUNTER_HA = 392,
	BPMU_COUNTER_LINK = 400,
	BPMU_COUNTER_IIO = 408,
	BPMU_COUNTER_IRP = 416,
	BPMU_COUNTER_EDC_ECLK = 424,
	BPMU_COUNTER_EDC_UCLK = 432,
	BPMU_COUNTER_IMC_UCLK = 440,
	BPMU_COUNTER_M2PCIE = 448,
	BPMU_MAX_COUNTERS = 16,
	BPMU_MAX_GROUPS = 32,
	BPMU_MIN_INTERVAL_NS = 100000,
	BPMU_MAX_BUFFER_SAMPLES = 65536,
	BPMU_RESERVED_SAMPLES = 4,
	BPMU_MIN_PERIOD = 1000,
	BPMU_MAX_PERIOD = 2000000000,
	BPMU_MAX_FREQUENCY = 100000,
	BPMU_MAX_CHAIN = 127,
	BPMU_MAX_BRANCHES = 32,
	BPMU_MAX_BATCH = 64
};

/**
 * enum bpmu_cmd - commands
 */
enum bpmu_cmd {
	/** @BPMU_CMD_UNSPEC: never sent */
	BPMU_CMD_UNSPEC,
	/** @BPMU_CMD_GET_INFO: what the module runs on, and its session; dump: lists */
	BPMU_CMD_GET_INFO,
	/** @BPMU_CMD_CONFIGURE: take the counters and say what to count */
	BPMU_CMD_CONFIGURE,
	/** @BPMU_CMD_START: start all counters on all CPUs of the session */
	BPMU_CMD_START,
	/** @BPMU_CMD_STOP: store a last sample on each CPU, and stop all counters */
	BPMU_CMD_STOP,
	/** @BPMU_CMD_SAMPLE: store a sample on each CPU now */
	BPMU_CMD_SAMPLE,
	/**
	 * @BPMU_CMD_READ: dump the stored samples; those read by the owner are removed from
	 * the buffers
	 */
	BPMU_CMD_READ,
	/** @BPMU_CMD_RELEASE: end the session and restore all registers */
	BPMU_CMD_RELEASE,
	/** @BPMU_CMD_SWAP: replace the groups of events of a running session */
	BPMU_CMD_SWAP,
	/** @BPMU_CMD_STATE: multicast, the session changed */
	BPMU_CMD_STATE,
	/** @BPMU_CMD_WATERMARK: multicast, a buffer reached its watermark */
	BPMU_CMD_WATERMARK,
	/** @BPMU_CMD_GET_PLAN: what the session counts */
	BPMU_CMD_GET_PLAN,
	/** @BPMU_CMD_FAILURE: multicast, a CPU could not be programmed */
	BPMU_CMD_FAILURE,

	/* add new commands above here */

	/** @__BPMU_CMD_LAST: internal */
	__BPMU_CMD_LAST,
	/** @BPMU_CMD_MAX: highest command */
	BPMU_CMD_MAX = __BPMU_CMD_LAST - 1
};

/**
 * enum bpmu_attr - attributes at the top level of a message
 */
enum bpmu_attr {
	/** @BPMU_A_UNSPEC: never sent */
	BPMU_A_UNSPEC,
	/** @BPMU_A_PAD: alignment of u64 attributes */
	BPMU_A_PAD,
	/** @BPMU_A_INFO_MODULE_VERSION: string */
	BPMU_A_INFO_MODULE_VERSION,
	/** @BPMU_A_INFO_PART: string, short name of the part, "ivb" */
	BPMU_A_INFO_PART,
	/** @BPMU_A_INFO_PART_TITLE: string, full name of the part, "Intel Ivy Bridge" */
	BPMU_A_INFO_PART_TITLE,
	/** @BPMU_A_INFO_FAMILY: u32, CPUID display family */
	BPMU_A_INFO_FAMILY,
	/** @BPMU_A_INFO_MODEL: u32, CPUID display model */
	BPMU_A_INFO_MODEL,
	/** @BPMU_A_INFO_STEPPING: u32, CPUID stepping */
	BPMU_A_INFO_STEPPING,
	/**
	 * @BPMU_A_INFO_PMU_VERSION: u32, version of architectural performance monitoring, 0 if
	 * CPUID reports none
	 */
	BPMU_A_INFO_PMU_VERSION,
	/** @BPMU_A_INFO_GP_COUNTERS: u32, general counters per logical CPU */
	BPMU_A_INFO_GP_COUNTERS,
	/** @BPMU_A_INFO_GP_WIDTH: u32, width of the general counters in bits */
	BPMU_A_INFO_GP_WIDTH,
	/** @BPMU_A_INFO_FIXED_COUNTERS: u32, fixed counters per logical CPU */
	BPMU_A_INFO_FIXED_COUNTERS,
	/** @BPMU_A_INFO_FIXED_WIDTH: u32, width of the fixed counters in bits */
	BPMU_A_INFO_FIXED_WIDTH,
	/** @BPMU_A_INFO_SELECT_MASK: u64, legal bits of an event select */
	BPMU_A_INFO_SELECT_MASK,
	/**
	 * @BPMU_A_INFO_TSC_KHZ: u32, frequency in kHz of the TSC, from which samples have their
	 * time stamps
	 */
	BPMU_A_INFO_TSC_KHZ,
	/** @BPMU_A_INFO_CPUS_ONLINE: u32, number of online CPUs */
	BPMU_A_INFO_CPUS_ONLINE,
	/** @BPMU_A_INFO_STATE: u32, enum bpmu_state */
	BPMU_A_INFO_STATE,
	/**
	 * @BPMU_A_INFO_OWNER_PID: u32, number of the session's process in the asker's PID
	 * namespace. 0 in three cases: there is no session; the process has ended (another one may
	 * have its socket); or the asker may neither configure nor read, is not of the process's
	 * user, and lacks CAP_SYS_PTRACE
	 */
	BPMU_A_INFO_OWNER_PID,
	/**
	 * @BPMU_A_INFO_OWNER_COMM: string, name of that process, "" if BPMU_A_INFO_OWNER_PID
	 * is 0
	 */
	BPMU_A_INFO_OWNER_COMM,
	/**
	 * @BPMU_A_INFO_BUSY: flag, another user of the counters keeps a session from taking them
	 * now
	 */
	BPMU_A_INFO_BUSY,
	/** @BPMU_A_INFO_CPU: u32, the CPU that is asked about */
	BPMU_A_INFO_CPU,
	/** @BPMU_A_INFO_METRICS: u32, number of fields of PERF_METRICS, 0 without this register */
	BPMU_A_INFO_METRICS,
	/** @BPMU_A_INFO_GLOBAL: u32, 1 if one register starts and stops all counters at once */
	BPMU_A_INFO_GLOBAL,
	/** @BPMU_A_CPUS: packed __u32 CPU numbers */
	BPMU_A_CPUS,
	/** @BPMU_A_GROUP: nested enum bpmu_group_attr, repeated */
	BPMU_A_GROUP,
	/** @BPMU_A_UNCORE_GROUP: nested enum bpmu_group_attr, repeated */
	BPMU_A_UNCORE_GROUP,
	/** @BPMU_A_INTERVAL_NS: u64, nanoseconds between samples */
	BPMU_A_INTERVAL_NS,
	/** @BPMU_A_TIMER: u32, enum bpmu_timer */
	BPMU_A_TIMER,
	/** @BPMU_A_BUFFER_SAMPLES: u32, number of samples that the buffer of a CPU holds */
	BPMU_A_BUFFER_SAMPLES,
	/**
	 * @BPMU_A_WATERMARK: u32, number of samples in a CPU's buffer at which the reader is woken
	 */
	BPMU_A_WATERMARK,
	/** @BPMU_A_RECORD_SIZE: u32, size of a sample record in bytes */
	BPMU_A_RECORD_SIZE,
	/** @BPMU_A_FROM: packed struct bpmu_position */
	BPMU_A_FROM,
	/** @BPMU_A_SAMPLES: packed sample records */
	BPMU_A_SAMPLES,
	/** @BPMU_A_LOSS: nested enum bpmu_loss_attr */
	BPMU_A_LOSS,
	/**
	 * @BPMU_A_INFO_PREFETCH: u32, legal bits of BPMU_A_PREFETCH, 0 if the module cannot
	 * switch prefetchers
	 */
	BPMU_A_INFO_PREFETCH,
	/** @BPMU_A_INFO_STATUS: u64, the CPU's overflow bits */
	BPMU_A_INFO_STATUS,
	/** @BPMU_A_INFO_SELECTS: packed u64, event selects of the CPU's general counters */
	BPMU_A_INFO_SELECTS,
	/** @BPMU_A_PREFETCH: u32, prefetchers to switch off, bits of MSR 0x1A4 */
	BPMU_A_PREFETCH,
	/** @BPMU_A_TOP: u32, number of events from a counter's start value to its wrap */
	BPMU_A_TOP,
	/** @BPMU_A_CHECK: u32, set of enum bpmu_check */
	BPMU_A_CHECK,
	/** @BPMU_A_WHO: flag, each sample names the task that it interrupted */
	BPMU_A_WHO,
	/** @BPMU_A_RUN: u32, number of the run */
	BPMU_A_RUN,
	/** @BPMU_A_PLAN: u32, number of the plan in its session */
	BPMU_A_PLAN,
	/** @BPMU_A_OTHER_GROUP: nested enum bpmu_group_attr, repeated */
	BPMU_A_OTHER_GROUP,
	/** @BPMU_A_TAKE_OVER: flag, the session takes counters even if they are enabled already */
	BPMU_A_TAKE_OVER,
	/** @BPMU_A_INFO_FOREIGN: u64, counters of the CPU that are enabled, but not by a session */
	BPMU_A_INFO_FOREIGN,
	/**
	 * @BPMU_A_INFO_ISOLATED: packed __u32, online CPUs that the kernel keeps
	 * free of timers and interrupts (isolcpus=, nohz_full=)
	 */
	BPMU_A_INFO_ISOLATED,
	/** @BPMU_A_FAILURE: nested enum bpmu_failure_attr, repeated */
	BPMU_A_FAILURE,
	/** @BPMU_A_FREE_GROUP: nested enum bpmu_group_attr, repeated */
	BPMU_A_FREE_GROUP,
	/** @BPMU_A_INFO_FREE: u64, set of the CPU's free-running registers, bit r for register r */
	BPMU_A_INFO_FREE,
	/**
	 * @BPMU_A_INFO_UNITS: u64, value of the MSR of power units, 0 if the CPU has no such MSR
	 */
	BPMU_A_INFO_UNITS,
	/** @BPMU_A_INFO_TJMAX: u32, degrees C at which the CPU throttles, 0 if unknown */
	BPMU_A_INFO_TJMAX,
	/** @BPMU_A_INFO_BOX: nested enum bpmu_box_attr, repeated */
	BPMU_A_INFO_BOX,
	/**
	 * @BPMU_A_INFO_ABSENT: u32, architectural events that CPUID.0AH:EBX reports as
	 * absent, one bit each
	 */
	BPMU_A_INFO_ABSENT,
	/** @BPMU_A_OVERFLOWS: packed struct bpmu_overflow */
	BPMU_A_OVERFLOWS,
	/** @BPMU_A_OVERFLOW_LOSS: nested enum bpmu_loss_attr */
	BPMU_A_OVERFLOW_LOSS,
	/** @BPMU_A_CHAIN: u32, maximum number of addresses in the call chains of an interrupt */
	BPMU_A_CHAIN,
	/** @BPMU_A_INFO_PRECISE: u64, counters whose events can have precise records */
	BPMU_A_INFO_PRECISE,
	/** @BPMU_A_INFO_OBSTACLES: u32, set of enum bpmu_obstacle on the CPU */
	BPMU_A_INFO_OBSTACLES,
	/** @BPMU_A_BRANCHES: u32, enum bpmu_branch_kind */
	BPMU_A_BRANCHES,
	/** @BPMU_A_INFO_BRANCHES: u32, branch records (LBR) of a CPU; 0 if none can be read */
	BPMU_A_INFO_BRANCHES,
	/** @BPMU_A_BATCH: u32, number of precise records that a CPU writes before it interrupts */
	BPMU_A_BATCH,
	/** @BPMU_A_INFO_BATCH: u32, largest BPMU_A_BATCH; 0 if a CPU writes no precise records */
	BPMU_A_INFO_BATCH,
	/** @BPMU_A_COUNTS: flag, records of interrupts have the counts of all events */
	BPMU_A_COUNTS,
	/**
	 * @BPMU_A_INFO_IBS: u32, what IBS can do: EAX of CPUID leaf 8000001BH; 0 if ops cannot be
	 * sampled; without bit 1 if fetches cannot be sampled
	 */
	BPMU_A_INFO_IBS,
	/**
	 * @BPMU_A_INFO_PEBS: u32, 1 more than the format of the CPU's PEBS records as in
	 * IA32_PERF_CAPABILITIES, 16 with architectural PEBS; 0 without PEBS. BPMU_A_INFO_PRECISE
	 * tells if the module reads them
	 */
	BPMU_A_INFO_PEBS,

	/* add new attributes above here */

	/** @__BPMU_A_LAST: internal */
	__BPMU_A_LAST,
	/** @BPMU_A_MAX: highest attribute */
	BPMU_A_MAX = __BPMU_A_LAST - 1
};

/**
 * enum bpmu_group_attr - attributes inside BPMU_A_GROUP
 */
enum bpmu_group_attr {
	/** @BPMU_A_GROUP_UNSPEC: never sent */
	BPMU_A_GROUP_UNSPEC,
	/** @BPMU_A_GROUP_EVENT: nested enum bpmu_event_attr, repeated */
	BPMU_A_GROUP_EVENT,

	/* add new attributes above here */

	/** @__BPMU_A_GROUP_LAST: internal */
	__BPMU_A_GROUP_LAST,
	/** @BPMU_A_GROUP_MAX: highest attribute */
	BPMU_A_GROUP_MAX = __BPMU_A_GROUP_LAST - 1
};

/**
 * enum bpmu_event_attr - attributes inside BPMU_A_GROUP_EVENT
 */
enum bpmu_event_attr {
	/** @BPMU_A_EVENT_UNSPEC: never sent */
	BPMU_A_EVENT_UNSPEC,
	/** @BPMU_A_EVENT_PAD: alignment of u64 attributes */
	BPMU_A_EVENT_PAD,
	/** @BPMU_A_EVENT_COUNTER: u32, a counter's number */
	BPMU_A_EVENT_COUNTER,
	/** @BPMU_A_EVENT_SELECT: u64, an event select */
	BPMU_A_EVENT_SELECT,
	/**
	 * @BPMU_A_EVENT_SIBLING: u32, number of the counter that counts the event on the second
	 * thread of a core
	 */
	BPMU_A_EVENT_SIBLING,
	/** @BPMU_A_EVENT_FILTER: u64, filter of the event's box, or the event's extra register */
	BPMU_A_EVENT_FILTER,
	/**
	 * @BPMU_A_EVENT_PERIOD: u32, mean number of events between two interrupts of the counter
	 */
	BPMU_A_EVENT_PERIOD,
	/**
	 * @BPMU_A_EVENT_PRECISE: flag, records have the address of an instruction that caused the
	 * event
	 */
	BPMU_A_EVENT_PRECISE,
	/** @BPMU_A_EVENT_FREQUENCY: u32, mean number of interrupts of the counter per second */
	BPMU_A_EVENT_FREQUENCY,
	/** @BPMU_A_EVENT_DATA: flag, records have a BPMU_SECTION_OP with the address of the data */
	BPMU_A_EVENT_DATA,

	/* add new attributes above here */

	/** @__BPMU_A_EVENT_LAST: internal */
	__BPMU_A_EVENT_LAST,
	/** @BPMU_A_EVENT_MAX: highest attribute */
	BPMU_A_EVENT_MAX = __BPMU_A_EVENT_LAST - 1
};

/**
 * enum bpmu_box_attr - attributes inside BPMU_A_INFO_BOX
 */
enum bpmu_box_attr {
	/** @BPMU_A_BOX_UNSPEC: never sent */
	BPMU_A_BOX_UNSPEC,
	/** @BPMU_A_BOX_UNIT: u32, enum bpmu_unit of arch/units.h */
	BPMU_A_BOX_UNIT,
	/**
	 * @BPMU_A_BOX_NR: u32, number of such boxes in the package that has most of them; 1 for the
	 * L3 of a core complex and the data fabric of a node
	 */
	BPMU_A_BOX_NR,
	/** @BPMU_A_BOX_COUNTERS: u32, number of counters of each such box */
	BPMU_A_BOX_COUNTERS,

	/* add new attributes above here */

	/** @__BPMU_A_BOX_LAST: internal */
	__BPMU_A_BOX_LAST,
	/** @BPMU_A_BOX_MAX: highest attribute */
	BPMU_A_BOX_MAX = __BPMU_A_BOX_LAST - 1
};

/**
 * enum bpmu_loss_attr - attributes inside BPMU_A_LOSS and BPMU_A_OVERFLOW_LOSS
 */
enum bpmu_loss_attr {
	/** @BPMU_A_LOSS_UNSPEC: never sent */
	BPMU_A_LOSS_UNSPEC,
	/** @BPMU_A_LOSS_PAD: alignment of u64 attributes */
	BPMU_A_LOSS_PAD,
	/** @BPMU_A_LOSS_CPU: u32, number of the CPU whose buffer was full */
	BPMU_A_LOSS_CPU,
	/** @BPMU_A_LOSS_COUNT: u64, number of samples dropped since START */
	BPMU_A_LOSS_COUNT,
	/** @BPMU_A_LOSS_TSC_FIRST: u64, TSC of the first dropped sample */
	BPMU_A_LOSS_TSC_FIRST,
	/** @BPMU_A_LOSS_TSC_LAST: u64, TSC of the last dropped sample */
	BPMU_A_LOSS_TSC_LAST,

	/* add new attributes above here */

	/** @__BPMU_A_LOSS_LAST: internal */
	__BPMU_A_LOSS_LAST,
	/** @BPMU_A_LOSS_MAX: highest attribute */
	BPMU_A_LOSS_MAX = __BPMU_A_LOSS_LAST - 1
};

/**
 * enum bpmu_failure_attr - attributes inside BPMU_A_FAILURE
 */
enum bpmu_failure_attr {
	/** @BPMU_A_FAILURE_UNSPEC: never sent */
	BPMU_A_FAILURE_UNSPEC,
	/** @BPMU_A_FAILURE_CPU: u32, the CPU */
	BPMU_A_FAILURE_CPU,
	/** @BPMU_A_FAILURE_WHAT: u32, enum bpmu_bank_id or enum bpmu_failure */
	BPMU_A_FAILURE_WHAT,
	/** @BPMU_A_FAILURE_ERROR: u32, errno of the failure */
	BPMU_A_FAILURE_ERROR,

	/* add new attributes above here */

	/** @__BPMU_A_FAILURE_LAST: internal */
	__BPMU_A_FAILURE_LAST,
	/** @BPMU_A_FAILURE_MAX: highest attribute */
	BPMU_A_FAILURE_MAX = __BPMU_A_FAILURE_LAST - 1
};

/**
 * enum bpmu_bank_id - banks: sets of counters that are read together
 *
 * The numbers are part of the format of recordings.
 */
enum bpmu_bank_id {
	/** @BPMU_BANK_CORE: counters of a logical CPU */
	BPMU_BANK_CORE,
	/** @BPMU_BANK_UNCORE: counters of the uncore of a client's package */
	BPMU_BANK_UNCORE,
	/** @BPMU_BANK_FREE_THREAD: free-running registers of a logical CPU */
	BPMU_BANK_FREE_THREAD,
	/** @BPMU_BANK_FREE_CORE: free-running registers of a core */
	BPMU_BANK_FREE_CORE,
	/** @BPMU_BANK_FREE_PACKAGE: free-running registers of a package */
	BPMU_BANK_FREE_PACKAGE,
	/** @BPMU_BANK_L3: counters of the L3 of a core complex, on Jaguar of its L2 */
	BPMU_BANK_L3,
	/** @BPMU_BANK_DF: counters of the data fabric of a node, before Zen of its northbridge */
	BPMU_BANK_DF,
	/** @BPMU_BANK_UMC: counters of the memory controllers of a package, AMD */
	BPMU_BANK_UMC,
	/** @BPMU_BANK_CHA: counters of the CBos or CHAs of a server's package */
	BPMU_BANK_CHA,
	/** @BPMU_BANK_PCU: counters of a server's power control unit */
	BPMU_BANK_PCU,
	/** @BPMU_BANK_UBOX: counters of a server's UBox */
	BPMU_BANK_UBOX,
	/**
	 * @BPMU_BANK_IMC: counters of a server's memory channels, or of a client's memory
	 * controllers
	 */
	BPMU_BANK_IMC,
	/** @BPMU_BANK_HA: counters of a server's home agents */
	BPMU_BANK_HA,
	/** @BPMU_BANK_LINK: counters of a server's links to other packages */
	BPMU_BANK_LINK,
	/** @BPMU_BANK_IIO: counters of a server's IIO stacks */
	BPMU_BANK_IIO,
	/** @BPMU_BANK_IRP: counters of the IRPs of a server's IIO stacks */
	BPMU_BANK_IRP,
	/**
	 * @BPMU_BANK_EDC_ECLK: counters of Knights Landing's MCDRAM controllers at the
	 * MCDRAM's clock
	 */
	BPMU_BANK_EDC_ECLK,
	/**
	 * @BPMU_BANK_EDC_UCLK: counters of Knights Landing's MCDRAM controllers at the
	 * mesh's clock
	 */
	BPMU_BANK_EDC_UCLK,
	/**
	 * @BPMU_BANK_IMC_UCLK: counters of Knights Landing's DDR4 controllers at the mesh's
	 * clock
	 */
	BPMU_BANK_IMC_UCLK,
	/** @BPMU_BANK_M2PCIE: counters of Knights Landing's M2PCIe */
	BPMU_BANK_M2PCIE,

	/* add new banks above here */

	/** @__BPMU_BANK_LAST: internal */
	__BPMU_BANK_LAST,
	/** @BPMU_BANK_MAX: highest bank */
	BPMU_BANK_MAX = __BPMU_BANK_LAST - 1
};

/**
 * enum bpmu_failure - registers other than a bank's that could not be programmed on a CPU
 */
enum bpmu_failure {
	/**
	 * @BPMU_FAILURE_PREFETCH: the prefetchers of the CPU's core; its counters are
	 * measured nevertheless
	 */
	BPMU_FAILURE_PREFETCH = 255
};

/**
 * enum bpmu_state - states of the session
 */
enum bpmu_state {
	/** @BPMU_STATE_IDLE: there is no session, and the module has taken no counters */
	BPMU_STATE_IDLE,
	/** @BPMU_STATE_READY: the session has taken its counters, but does not count */
	BPMU_STATE_READY,
	/** @BPMU_STATE_RUNNING: counting */
	BPMU_STATE_RUNNING
};

/**
 * enum bpmu_check - what the module does not refuse or correct, for experiments with errors
 */
enum bpmu_check {
	/**
	 * @BPMU_CHECK_LEAK: a session may use counters into which an event on the sibling thread
	 * leaks
	 */
	BPMU_CHECK_LEAK = 1 << 0,
	/**
	 * @BPMU_CHECK_SELECT: a core's select may read back differently than it was written, and
	 * may lack usr and os; a select whose write faults is refused nevertheless
	 */
	BPMU_CHECK_SELECT = 1 << 1,
	/**
	 * @BPMU_CHECK_PERIOD: the periods of events that interrupt are not random: each counter
	 * starts a mean period below its overflow, on Broadwell rounded down to a multiple of 64
	 */
	BPMU_CHECK_PERIOD = 1 << 2,
	/**
	 * @BPMU_CHECK_FREEZE: the CPU itself stops its counters when it raises an interrupt (bit 12
	 * of IA32_DEBUGCTL), so that they do not count the entry of the interrupt's handler
	 */
	BPMU_CHECK_FREEZE = 1 << 3
};

/**
 * enum bpmu_obstacle - why sessions with events that interrupt are refused
 */
enum bpmu_obstacle {
	/** @BPMU_OBSTACLE_LVTPC: another agent has set the APIC's entry for overflow interrupts */
	BPMU_OBSTACLE_LVTPC = 1 << 0,
	/**
	 * @BPMU_OBSTACLE_TRACE: Intel PT traces. At each interrupt of Intel PT perf's handler stops
	 * all counters of the CPU, and clears their overflow bits
	 */
	BPMU_OBSTACLE_TRACE = 1 << 1,
	/**
	 * @BPMU_OBSTACLE_BRANCHES: another agent records branches (LBR); only sessions with
	 * BPMU_A_BRANCHES are refused
	 */
	BPMU_OBSTACLE_BRANCHES = 1 << 2,
	/**
	 * @BPMU_OBSTACLE_IBS: another agent samples ops (IBS); only sessions with
	 * BPMU_COUNTER_IBS_OP are refused
	 */
	BPMU_OBSTACLE_IBS = 1 << 3,
	/**
	 * @BPMU_OBSTACLE_IBS_LVT: the APIC does not deliver the interrupts of IBS as NMIs, as the
	 * kernel sets it up at boot; only sessions with BPMU_COUNTER_IBS_OP or
	 * BPMU_COUNTER_IBS_FETCH are refused
	 */
	BPMU_OBSTACLE_IBS_LVT = 1 << 4,
	/**
	 * @BPMU_OBSTACLE_STORE: another agent makes the CPU write records of events or branches
	 * into a debug store (DS); only sessions with BPMU_A_EVENT_PRECISE are refused
	 */
	BPMU_OBSTACLE_STORE = 1 << 5,
	/**
	 * @BPMU_OBSTACLE_IBS_FETCH: another agent samples fetches (IBS); only sessions with
	 * BPMU_COUNTER_IBS_FETCH are refused
	 */
	BPMU_OBSTACLE_IBS_FETCH = 1 << 6
};

/**
 * enum bpmu_branch_kind - which branches are recorded (LBR)
 */
enum bpmu_branch_kind {
	/** @BPMU_BRANCH_KIND_ANY: all branches that are taken */
	BPMU_BRANCH_KIND_ANY,
	/**
	 * @BPMU_BRANCH_KIND_CALLS: calls in user space that have not returned (call-stack mode);
	 * only with BPMU_A_CHAIN. They are the BPMU_SECTION_USER of a record, in place of what
	 * frame pointers tell
	 */
	BPMU_BRANCH_KIND_CALLS
};

/**
 * enum bpmu_timer - timer that takes the samples
 */
enum bpmu_timer {
	/**
	 * @BPMU_TIMER_AUTO: TICK for intervals of two jiffies and more, else HARD; with
	 * BPMU_A_WHO always HARD
	 */
	BPMU_TIMER_AUTO,
	/** @BPMU_TIMER_HARD: a timer interrupt of the session's own, on idle CPUs too */
	BPMU_TIMER_HARD,
	/**
	 * @BPMU_TIMER_TICK: the timer tick that a busy CPU has anyway. An idle CPU counts nothing
	 * and is woken at most once, when it has just fallen asleep: its next sample comes when it
	 * runs again. An idle CPU that reads an uncore is woken after 100 ms; until then busy CPUs
	 * that share the uncore take its samples. In three cases that CPU is instead woken for each
	 * sample: the interval is 100 ms or longer; the CPU multiplexes the uncore's groups; or a
	 * CPU that shares the uncore is offline, isolated or not in the session
	 */
	BPMU_TIMER_TICK
};

/**
 * enum bpmu_sample_flag - why a sample was taken
 */
enum bpmu_sample_flag {
	/**
	 * @BPMU_SAMPLE_START: the first sample of a group, with the values from which counts begin
	 */
	BPMU_SAMPLE_START = 1 << 0,
	/** @BPMU_SAMPLE_STOP: the last sample, after which nothing is counted */
	BPMU_SAMPLE_STOP = 1 << 1,
	/** @BPMU_SAMPLE_TIMER: the interval timer has expired */
	BPMU_SAMPLE_TIMER = 1 << 2,
	/** @BPMU_SAMPLE_REQUEST: the owner has sent BPMU_CMD_SAMPLE */
	BPMU_SAMPLE_REQUEST = 1 << 3,
	/** @BPMU_SAMPLE_OFFLINE: the CPU went offline or to sleep */
	BPMU_SAMPLE_OFFLINE = 1 << 4,
	/** @BPMU_SAMPLE_ONLINE: the CPU came online or awoke; counts restart here */
	BPMU_SAMPLE_ONLINE = 1 << 5,
	/** @BPMU_SAMPLE_SWAP: the last sample before BPMU_CMD_SWAP has replaced the groups */
	BPMU_SAMPLE_SWAP = 1 << 6,
	/**
	 * @BPMU_SAMPLE_DISTURBED: a register did not hold what the module had written: another
	 * agent writes it
	 */
	BPMU_SAMPLE_DISTURBED = 1 << 7,
	/**
	 * @BPMU_SAMPLE_FAILED: the sample has no values. The CPU is back, but its counters could
	 * not be programmed: no values follow until the CPU comes back again. Each sample of a bank
	 * of several CPUs has this flag if the bank could not be programmed after hotplug or
	 * resume, or if its PCI device has been removed
	 */
	BPMU_SAMPLE_FAILED = 1 << 8,
	/**
	 * @BPMU_SAMPLE_PREFETCH: the CPU's prefetchers are not in the state that BPMU_A_PREFETCH
	 * requests
	 */
	BPMU_SAMPLE_PREFETCH = 1 << 9
};

/**
 * struct bpmu_sample - head of a sample record
 * @seq: sequence number of this sample among the samples of its CPU since START. Dropped samples
 *	have numbers, too: a gap in the numbers is a loss
 * @tsc_begin: TSC just before the first counter was read
 * @tsc_end: TSC just after the last counter was read
 * @enabled: TSC ticks since START for which the session was running on this CPU
 * @running: TSC ticks since START for which this group was counted
 * @spent: TSC ticks since START that this CPU spent on the samples before this one, without the
 *	ticks for interrupt entry and exit
 * @cpu: number of the CPU whose counters these are, or that reads the bank
 * @flags: set of enum bpmu_sample_flag
 * @bank: enum bpmu_bank_id of the counters
 * @plan: number of the plan: 0 after CONFIGURE, increased by each SWAP
 * @group: number of the group among the groups of @bank in its plan
 * @nr: number of values
 *
 * The raw counter values follow this head, one __u64 for each event of the group, in the order of
 * the configuration. Bytes behind the values, up to BPMU_A_RECORD_SIZE, have no meaning, but with
 * BPMU_A_WHO the last bytes of the record are a struct bpmu_who.
 *
 * The TSC values leave out the time for which the machine slept. They differ from the processor's
 * TSC after a sleep during the session.
 */
struct bpmu_sample {
	__u64 seq;
	__u64 tsc_begin;
	__u64 tsc_end;
	__u64 enabled;
	__u64 running;
	__u64 spent;
	__u32 cpu;
	__u16 flags;
	__u16 bank;
	__u32 plan;
	__u16 group;
	__u16 nr;
};

/**
 * enum bpmu_who_flag - what is known of the interrupted task
 */
enum bpmu_who_flag {
	/** @BPMU_WHO_KERNEL: the interrupted instruction, @ip, is in the kernel */
	BPMU_WHO_KERNEL = 1 << 0,
	/** @BPMU_WHO_IDLE: the CPU was idle */
	BPMU_WHO_IDLE = 1 << 1,
	/** @BPMU_WHO_NOWHERE: no interrupt took the sample, so that @ip is not known */
	BPMU_WHO_NOWHERE = 1 << 2,
	/** @BPMU_WHO_HIDDEN: @ip is in the kernel, and this reader may not see it */
	BPMU_WHO_HIDDEN = 1 << 3,
	/** @BPMU_WHO_UNNAMED: this reader may not see the thread, or the thread has ended */
	BPMU_WHO_UNNAMED = 1 << 4
};

/**
 * struct bpmu_who - who was interrupted by a sample
 * @ip: address of the instruction at which the thread continues; 0 if it is not known or hidden
 * @pid: ID of the thread in the PID namespace of the process that sent READ
 * @tgid: ID of the thread's process in the same namespace
 * @flags: set of enum bpmu_who_flag
 * @pad: 0
 * @comm: name that the thread had at the interrupt, ended by 0
 */
struct bpmu_who {
	__u64 ip;
	__u32 pid;
	__u32 tgid;
	__u32 flags;
	__u32 pad;
	char comm[16];
};

/**
 * enum bpmu_section_id - what a section of a record has
 */
enum bpmu_section_id {
	/**
	 * @BPMU_SECTION_KERNEL: __u64 return addresses in the kernel, the interrupted function's
	 * first; 0 with BPMU_WHO_HIDDEN
	 */
	BPMU_SECTION_KERNEL,
	/**
	 * @BPMU_SECTION_USER: __u64 addresses in callers in user space, the interrupted function's
	 * caller first: return addresses that were found by frame pointers; with
	 * BPMU_BRANCH_KIND_CALLS addresses one byte into the calls. If the kernel was interrupted,
	 * the address at which the task entered the kernel comes before them. 0 with
	 * BPMU_WHO_UNNAMED
	 */
	BPMU_SECTION_USER,
	/** @BPMU_SECTION_BRANCHES: an array of struct bpmu_branch, the last branch first */
	BPMU_SECTION_BRANCHES,
	/**
	 * @BPMU_SECTION_COUNTS: __u64 counts of the group's events, see BPMU_A_COUNTS; with
	 * BPMU_SECTION_BROKEN none
	 */
	BPMU_SECTION_COUNTS,
	/**
	 * @BPMU_SECTION_OP: a struct bpmu_tagged_op: what IBS says of the sampled op, or a precise
	 * record of the data, see BPMU_A_EVENT_DATA
	 */
	BPMU_SECTION_OP,
	/**
	 * @BPMU_SECTION_RETIRED: a struct bpmu_retired: how long the recorded instruction took to
	 * retire
	 */
	BPMU_SECTION_RETIRED,
	/** @BPMU_SECTION_FETCH: a struct bpmu_fetched: what IBS says of the sampled fetch */
	BPMU_SECTION_FETCH
};

/**
 * enum bpmu_section_flag - what is missing in a section
 */
enum bpmu_section_flag {
	/**
	 * @BPMU_SECTION_CUT: the chain has more addresses than BPMU_A_CHAIN allows; or it has all
	 * branch records of the CPU, so that there may be more
	 */
	BPMU_SECTION_CUT = 1 << 0,
	/**
	 * @BPMU_SECTION_BROKEN: the next frame cannot be found: code without frame pointers, a
	 * page that is not in memory, or a program of 32 bits; with BPMU_BRANCH_KIND_CALLS: calls
	 * were not recorded. Of counts: the CPU's record lacks the value of a counter, or has
	 * something before the values that the module does not know
	 */
	BPMU_SECTION_BROKEN = 1 << 1
};

/**
 * struct bpmu_section - head of a section behind a &struct bpmu_overflow
 * @id: enum bpmu_section_id
 * @flags: set of enum bpmu_section_flag
 * @size: size in bytes of the section: of this head and the data behind it, a multiple of 8
 */
struct bpmu_section {
	__u16 id;
	__u16 flags;
	__u32 size;
};

/**
 * enum bpmu_branch_flag - what is known of a branch
 */
enum bpmu_branch_flag {
	/** @BPMU_BRANCH_MISPREDICTED: the branch's direction or target was mispredicted */
	BPMU_BRANCH_MISPREDICTED = 1 << 0,
	/**
	 * @BPMU_BRANCH_PREDICTED: the branch was predicted; without this flag and
	 * BPMU_BRANCH_MISPREDICTED the prediction is not known
	 */
	BPMU_BRANCH_PREDICTED = 1 << 1,
	/** @BPMU_BRANCH_IN_TX: the branch was in a transaction */
	BPMU_BRANCH_IN_TX = 1 << 2,
	/** @BPMU_BRANCH_ABORT: the branch is the abort of a transaction */
	BPMU_BRANCH_ABORT = 1 << 3,
	/** @BPMU_BRANCH_CYCLES: @cycles of &struct bpmu_branch is known */
	BPMU_BRANCH_CYCLES = 1 << 4
};

/**
 * struct bpmu_branch - a branch that was taken
 * @from: address of the branch; 0 if it is hidden
 * @to: address of its target; 0 if it is hidden
 * @flags: set of enum bpmu_branch_flag
 * @cycles: core cycles since the previous branch, 65535 also for more than that many
 * @pad: 0
 */
struct bpmu_branch {
	__u64 from;
	__u64 to;
	__u32 flags;
	__u16 cycles;
	__u16 pad;
};

/**
 * enum bpmu_tagged_flag - what is known of a sampled op
 */
enum bpmu_tagged_flag {
	/** @BPMU_TAGGED_LOAD: the op loads */
	BPMU_TAGGED_LOAD = 1 << 0,
	/** @BPMU_TAGGED_STORE: the op stores */
	BPMU_TAGGED_STORE = 1 << 1,
	/** @BPMU_TAGGED_ADDRESS: @address of &struct bpmu_tagged_op is known; 0 if it is hidden */
	BPMU_TAGGED_ADDRESS = 1 << 2,
	/** @BPMU_TAGGED_LOCKED: the access is locked */
	BPMU_TAGGED_LOCKED = 1 << 3,
	/** @BPMU_TAGGED_TLB_MISS: the address missed the first TLB */
	BPMU_TAGGED_TLB_MISS = 1 << 4,
	/** @BPMU_TAGGED_TLB2_MISS: the address missed both TLBs */
	BPMU_TAGGED_TLB2_MISS = 1 << 5,
	/** @BPMU_TAGGED_BRANCH: the op is a branch */
	BPMU_TAGGED_BRANCH = 1 << 6,
	/** @BPMU_TAGGED_RETURN: the branch is a return */
	BPMU_TAGGED_RETURN = 1 << 7,
	/** @BPMU_TAGGED_TAKEN: the branch was taken */
	BPMU_TAGGED_TAKEN = 1 << 8,
	/** @BPMU_TAGGED_MISPREDICTED: the branch was mispredicted */
	BPMU_TAGGED_MISPREDICTED = 1 << 9,
	/**
	 * @BPMU_TAGGED_INEXACT: the op's address is not known: @ip of &struct bpmu_who is where the
	 * thread was interrupted
	 */
	BPMU_TAGGED_INEXACT = 1 << 10,
	/**
	 * @BPMU_TAGGED_MODIFIED: the line of the load's data was modified in the cache that had it,
	 * as perf's HITM; by which core is not known: with BPMU_SOURCE_L3 it may be a line that the
	 * load's own core has modified and evicted. That this is what the CPU's bit says is Linux's
	 * reading, not confirmed on hardware
	 */
	BPMU_TAGGED_MODIFIED = 1 << 11,
	/**
	 * @BPMU_TAGGED_L1_MISS: the load missed the L1 data cache; never with uncached accesses.
	 * With BPMU_TAGGED_BY_PEBS also of a store
	 */
	BPMU_TAGGED_L1_MISS = 1 << 12,
	/**
	 * @BPMU_TAGGED_BY_PEBS: a precise record says this, not IBS: BPMU_TAGGED_TLB_MISS, what
	 * concerns branches, and @retire are not known
	 */
	BPMU_TAGGED_BY_PEBS = 1 << 13,
	/**
	 * @BPMU_TAGGED_TLBS: with BPMU_TAGGED_BY_PEBS: BPMU_TAGGED_TLB2_MISS and
	 * BPMU_TAGGED_LOCKED are known
	 */
	BPMU_TAGGED_TLBS = 1 << 14,
	/**
	 * @BPMU_TAGGED_DATA_BLOCKED: the load waited for an older store that could not forward its
	 * data
	 */
	BPMU_TAGGED_DATA_BLOCKED = 1 << 15,
	/**
	 * @BPMU_TAGGED_ADDRESS_BLOCKED: the load waited because an older store might have had the
	 * same address
	 */
	BPMU_TAGGED_ADDRESS_BLOCKED = 1 << 16
};

/**
 * enum bpmu_source - where a load found its data; of a store only BPMU_SOURCE_L1 is told
 */
enum bpmu_source {
	/** @BPMU_SOURCE_UNKNOWN: the op does not load, or the source is not known */
	BPMU_SOURCE_UNKNOWN,
	/** @BPMU_SOURCE_L1: the L1 data cache; of a store: it hit that cache */
	BPMU_SOURCE_L1,
	/** @BPMU_SOURCE_L2: the core's L2 */
	BPMU_SOURCE_L2,
	/** @BPMU_SOURCE_L3: the L3 of the core complex, or another core of the complex */
	BPMU_SOURCE_L3,
	/** @BPMU_SOURCE_NEAR_CACHE: a cache of another core complex of the same node */
	BPMU_SOURCE_NEAR_CACHE,
	/** @BPMU_SOURCE_REMOTE_CACHE: a cache of another node */
	BPMU_SOURCE_REMOTE_CACHE,
	/** @BPMU_SOURCE_MEMORY: memory of the same node */
	BPMU_SOURCE_MEMORY,
	/** @BPMU_SOURCE_REMOTE_MEMORY: memory of another node */
	BPMU_SOURCE_REMOTE_MEMORY,
	/** @BPMU_SOURCE_PERSISTENT: persistent memory */
	BPMU_SOURCE_PERSISTENT,
	/** @BPMU_SOURCE_EXTENSION: extension memory (CXL) */
	BPMU_SOURCE_EXTENSION,
	/** @BPMU_SOURCE_PEER: memory of a peer agent, such as an accelerator */
	BPMU_SOURCE_PEER,
	/** @BPMU_SOURCE_IO: a device, or configuration space */
	BPMU_SOURCE_IO,
	/** @BPMU_SOURCE_FILL_BUFFER: a line that was already on its way into the L1 or L2 */
	BPMU_SOURCE_FILL_BUFFER,
	/** @BPMU_SOURCE_MEMORY_CACHE: a cache of the memory, such as an L4 */
	BPMU_SOURCE_MEMORY_CACHE
};

/**
 * struct bpmu_tagged_op - what instruction-based sampling (IBS) says of an op, or a precise record
 *	of a memory access
 * @address: address of the data that the op loads or stores; 0 if there is none, or it is hidden
 * @flags: set of enum bpmu_tagged_flag
 * @latency: core cycles from the miss of the L1 data cache until the data came, 65535 also for
 *	more; 0 without BPMU_TAGGED_L1_MISS. In precise records of formats up to 4: core cycles from
 *	the load's dispatch until the data came
 * @source: enum bpmu_source
 * @cycles: core cycles from the op's dispatch until it retired; in precise records from format 5
 *	on: until the load or store was complete, 0 in others
 * @retire: core cycles from the op's completion until it retired
 * @pad: 0
 */
struct bpmu_tagged_op {
	__u64 address;
	__u32 flags;
	__u16 latency;
	__u16 source;
	__u16 cycles;
	__u16 retire;
	__u32 pad;
};

/**
 * enum bpmu_fetched_flag - what is known of a sampled fetch
 */
enum bpmu_fetched_flag {
	/** @BPMU_FETCHED_COMPLETE: the code has come; if not, the fetch was abandoned */
	BPMU_FETCHED_COMPLETE = 1 << 0,
	/** @BPMU_FETCHED_L1_MISS: the fetch missed the L1 instruction cache */
	BPMU_FETCHED_L1_MISS = 1 << 1,
	/** @BPMU_FETCHED_L2_MISS: it missed the L2 */
	BPMU_FETCHED_L2_MISS = 1 << 2,
	/** @BPMU_FETCHED_L3_MISS: it missed the L3; known only with BPMU_FETCHED_ZEN4 */
	BPMU_FETCHED_L3_MISS = 1 << 3,
	/**
	 * @BPMU_FETCHED_UOP_CACHE_MISS: it missed the uop cache (op cache); known only with
	 * BPMU_FETCHED_ZEN4
	 */
	BPMU_FETCHED_UOP_CACHE_MISS = 1 << 4,
	/** @BPMU_FETCHED_ZEN4: misses of the L3 and of the uop cache are known, from Zen 4 on */
	BPMU_FETCHED_ZEN4 = 1 << 5,
	/** @BPMU_FETCHED_TLB_MISS: the address missed the first instruction TLB */
	BPMU_FETCHED_TLB_MISS = 1 << 6,
	/** @BPMU_FETCHED_TLB2_MISS: the address missed both instruction TLBs */
	BPMU_FETCHED_TLB2_MISS = 1 << 7,
	/** @BPMU_FETCHED_REFILL: @refill of &struct bpmu_fetched is known */
	BPMU_FETCHED_REFILL = 1 << 8
};

/**
 * struct bpmu_fetched - what instruction-based sampling (IBS) says of a fetch of code
 * @flags: set of enum bpmu_fetched_flag
 * @latency: core cycles until the code came or the fetch was abandoned, 65535 also for more
 * @refill: core cycles until the instruction TLB was refilled; 0 without BPMU_FETCHED_REFILL
 * @page: size in bytes of the page; 0 if it is not known
 * @pad: 0
 */
struct bpmu_fetched {
	__u32 flags;
	__u16 latency;
	__u16 refill;
	__u32 page;
	__u32 pad;
};

/**
 * struct bpmu_retired - how long an instruction took to retire, from a precise record
 * @latency: core cycles from the retirement of the instruction before it to its own (retire
 *	latency), at most 65535
 * @pad: 0
 */
struct bpmu_retired {
	__u32 latency;
	__u32 pad;
};

/**
 * struct bpmu_overflow - an interrupt by a counter that has overflowed
 * @seq: sequence number of this record among the records of its CPU since START. Dropped records
 *	have numbers, too: a gap in the numbers is a loss
 * @tsc: time of the interrupt, a TSC value like those of &struct bpmu_sample
 * @period: number of events counted since the same event last interrupted this CPU, even if the
 *	record of that interrupt was dropped; for the first interrupt, since START
 * @cpu: number of the CPU that was interrupted
 * @event: index of the event in its group
 * @size: size in bytes of this record with its sections
 * @who: who was interrupted
 *
 * With BPMU_A_CHAIN, BPMU_A_BRANCHES, BPMU_A_COUNTS or BPMU_A_EVENT_PRECISE, or if IBS has sampled
 * an op or a fetch, sections follow, up to the @size of the record, each of which begins with a
 * &struct bpmu_section. A reader skips a section whose @id it does not know.
 */
struct bpmu_overflow {
	__u64 seq;
	__u64 tsc;
	__u64 period;
	__u32 cpu;
	__u16 event;
	__u16 size;
	struct bpmu_who who;
};

/**
 * struct bpmu_position - the first sample of a CPU that a reader requests
 * @seq: &bpmu_sample.seq of that sample
 * @cpu: number of the CPU
 * @pad: 0
 */
struct bpmu_position {
	__u64 seq;
	__u32 cpu;
	__u32 pad;
};

#endif /* _UAPI_LINUX_BAREPMU_H */
