/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Units and banks. A unit is a piece of hardware that counts events, such as a core or a memory
 * controller. A bank is a set of counters that are read together; its counters belong to one kind
 * of unit or to several kinds. Names and numbers of each unit and bank are in the tables of
 * units.c.
 */
#ifndef BPMU_UNITS_H
#define BPMU_UNITS_H

#include <linux/barepmu.h>
#include <linux/types.h>

/**
 * enum bpmu_unit - unit that counts an event; the numbers are part of the protocol: append only
 * @BPMU_UNIT_CORE: the core; each logical CPU has its own counters
 * @BPMU_UNIT_CLOCK: the uncore clock
 * @BPMU_UNIT_ARB: the arbiter of requests from cores and graphics to memory
 * @BPMU_UNIT_CBO: the CBos of a client, each with a slice of the last level cache
 * @BPMU_UNIT_FREE_THREAD: free-running registers of a logical CPU
 * @BPMU_UNIT_FREE_CORE: free-running registers shared by the threads of a core
 * @BPMU_UNIT_FREE_PACKAGE: free-running registers of a package
 * @BPMU_UNIT_L3: the last level cache of AMD's core complexes
 * @BPMU_UNIT_DF: AMD's data fabric, between cores, memory and other packages
 * @BPMU_UNIT_UMC: AMD's memory controllers; each channel has one
 * @BPMU_UNIT_CHA: the caching agents of Intel's servers, each with a slice of the last level cache:
 *	CBos, from Skylake on CHAs
 * @BPMU_UNIT_PCU: the power control unit of a server, which sets frequencies and C-states
 * @BPMU_UNIT_UBOX: the UBox of a server, which distributes interrupts, locks and messages
 * @BPMU_UNIT_IMC: the channels of the memory controllers of Intel's servers, or the memory
 *	controllers of its clients
 * @BPMU_UNIT_HA: up to Broadwell the home agents of a server, which receive all requests to its
 *	memory; from Skylake on, where the CHAs are the home agents, the M2Ms in front of memory
 *	controllers
 * @BPMU_UNIT_LINK: a server's links to other packages: QPI, from Skylake on UPI
 * @BPMU_UNIT_IIO: a server's IIO stacks, each of which connects some I/O devices to the mesh
 * @BPMU_UNIT_IRP: the IRPs of IIO stacks, which keep what devices read and write coherent
 * @BPMU_UNIT_L2: the L2 that the cores of AMD's Jaguar share
 * @BPMU_UNIT_NB: the northbridge of AMD before Zen, between cores, memory and other packages
 * @BPMU_UNIT_GQ: the global queue of Nehalem and Westmere, between cores, last level cache, memory
 *	and other packages, with the units around it
 * @BPMU_UNIT_EDC_ECLK: the MCDRAM controllers, EDCs, of Knights Landing at the MCDRAM's clock
 * @BPMU_UNIT_EDC_UCLK: the part of the MCDRAM controllers at the clock of the mesh, which looks for
 *	lines if the MCDRAM is a cache
 * @BPMU_UNIT_IMC_UCLK: the controllers of Knights Landing's DDR4 memory at the clock of the mesh
 * @BPMU_UNIT_M2PCIE: the agent between the mesh and the I/O devices of Knights Landing
 * @BPMU_UNITS: number of kinds of units
 */
enum bpmu_unit {
	BPMU_UNIT_CORE,
	BPMU_UNIT_CLOCK,
	BPMU_UNIT_ARB,
	BPMU_UNIT_CBO,
	BPMU_UNIT_FREE_THREAD,
	BPMU_UNIT_FREE_CORE,
	BPMU_UNIT_FREE_PACKAGE,
	BPMU_UNIT_L3,
	BPMU_UNIT_DF,
	BPMU_UNIT_UMC,
	BPMU_UNIT_CHA,
	BPMU_UNIT_PCU,
	BPMU_UNIT_UBOX,
	BPMU_UNIT_IMC,
	BPMU_UNIT_HA,
	BPMU_UNIT_LINK,
	BPMU_UNIT_IIO,
	BPMU_UNIT_IRP,
	BPMU_UNIT_L2,
	BPMU_UNIT_NB,
	BPMU_UNIT_GQ,
	BPMU_UNIT_EDC_ECLK,
	BPMU_UNIT_EDC_UCLK,
	BPMU_UNIT_IMC_UCLK,
	BPMU_UNIT_M2PCIE,
	BPMU_UNITS
};

/* Maximum number of uncore boxes of a client */
#define BPMU_UNCORE_BOXES 24
/*
 * Maxima by kind of box: a name that ends with _COUNTERS is the number of counters of a box,
 * another name is the number of such boxes in a package.
 */
#define BPMU_L3_COUNTERS 6
#define BPMU_L2_COUNTERS 4
#define BPMU_DF_COUNTERS 16
#define BPMU_UMC_COUNTERS 8
#define BPMU_UMCS 32
#define BPMU_CHA_COUNTERS 4
#define BPMU_CHAS 144
#define BPMU_PCU_COUNTERS 4
/* Number of counters of a UBox; the last of them is a fixed clock counter */
#define BPMU_UBOX_COUNTERS 3
/* Number of counters of a server's memory channel; the last of them is a fixed clock counter */
#define BPMU_IMC_COUNTERS 5
#define BPMU_IMCS 16
#define BPMU_HA_COUNTERS 4
#define BPMU_HAS 32
#define BPMU_LINK_COUNTERS 4
#define BPMU_LINKS 6
#define BPMU_IIO_COUNTERS 4
#define BPMU_IIOS 16
#define BPMU_IRP_COUNTERS 2
/*
 * Number of counters of an MCDRAM or memory controller of Knights Landing; the last of them is a
 * fixed clock counter
 */
#define BPMU_EDC_COUNTERS 5
#define BPMU_EDCS 8
#define BPMU_M2PCIE_COUNTERS 4

#define BPMU_BANKS (BPMU_BANK_MAX + 1)

/**
 * enum bpmu_domain - CPUs that share the counters of a bank
 * @BPMU_DOMAIN_THREAD: a single logical CPU, which shares its counters with no other
 * @BPMU_DOMAIN_CORE: the threads of a core
 * @BPMU_DOMAIN_COMPLEX: the cores of a core complex, which share an L3, on Jaguar an L2
 * @BPMU_DOMAIN_NODE: the CPUs of an AMD node
 * @BPMU_DOMAIN_PACKAGE: the CPUs of a package, on Intel of a die
 */
enum bpmu_domain {
	BPMU_DOMAIN_THREAD,
	BPMU_DOMAIN_CORE,
	BPMU_DOMAIN_COMPLEX,
	BPMU_DOMAIN_NODE,
	BPMU_DOMAIN_PACKAGE
};

/* Maximum number of names that perf, or a vendor, has for one kind of unit */
#define BPMU_UNIT_NAMES 3

/**
 * struct bpmu_unit_facts - names and limits of one kind of units, the same on all parts
 * @name: short name: "iio"
 * @title: description: "IIO stacks of a server"
 * @bank: &enum bpmu_bank_id of the units' counters
 * @most: maximum number of units of a package, or of another &bpmu_bank_facts.domain
 * @perf: names that perf's PMUs with these counters have on different parts, without an instance's
 *	number; unused entries are NULL
 * @intel: names of the unit in Intel's event files; unused entries are NULL
 */
struct bpmu_unit_facts {
	const char *name;
	const char *title;
	__u8 bank;
	__u8 most;
	const char *perf[BPMU_UNIT_NAMES];
	const char *intel[BPMU_UNIT_NAMES];
};

/**
 * struct bpmu_bank_facts - names and counter numbers of a bank, the same on all parts
 * @name: short name, in output that programs read: "iio"
 * @title: name of the units that have these counters, for a sentence: "IIO stacks"
 * @letter: stands before the number of a counter: "O" for O0
 * @domain: &enum bpmu_domain
 * @free: nonzero if the bank's counters are free-running registers, which are not multiplexed
 * @first: number of the bank's first counter
 * @counters: number of the bank's counters
 */
struct bpmu_bank_facts {
	const char *name;
	const char *title;
	const char *letter;
	__u8 domain;
	__u8 free;
	__u16 first;
	__u16 counters;
};

extern const struct bpmu_unit_facts bpmu_unit_facts[BPMU_UNITS];
extern const struct bpmu_bank_facts bpmu_bank_facts[BPMU_BANKS];

const char *bpmu_domain_name(__u8 domain);

/**
 * bpmu_unit_is_free() - check if a unit's events are free-running registers
 * @unit: &enum bpmu_unit
 *
 * Context: any.
 * Return: nonzero for a unit of free-running registers, else 0.
 */
static inline int bpmu_unit_is_free(enum bpmu_unit unit)
{
	return bpmu_bank_facts[bpmu_unit_facts[unit].bank].free;
}

/**
 * bpmu_bank_is_shared() - check if CPUs of several cores share the counters of a bank of units
 * @bank: &enum bpmu_bank_id
 *
 * On a hybrid part only CPUs of the first core type read the counters of a shared bank.
 *
 * Context: any.
 * Return: nonzero if the CPUs of a core complex, node or package share the counters; 0 if each CPU
 * or core has its own.
 */
static inline int bpmu_bank_is_shared(enum bpmu_bank_id bank)
{
	return bpmu_bank_facts[bank].domain > BPMU_DOMAIN_CORE;
}

/**
 * bpmu_bank_is_uncore() - check if a bank has programmable counters of units outside the core
 * @bank: &enum bpmu_bank_id
 *
 * Context: any.
 * Return: nonzero for a bank of uncore counters, else 0.
 */
static inline int bpmu_bank_is_uncore(enum bpmu_bank_id bank)
{
	return bank != BPMU_BANK_CORE && !bpmu_bank_facts[bank].free;
}

#endif /* BPMU_UNITS_H */
