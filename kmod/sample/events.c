// SPDX-License-Identifier: GPL-2.0
#include "events.h"

#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/kfifo.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

/* length of the queue of events that wait for the worker; further events are dropped */
#define QUEUED 64
/*
 * Jiffies, about 10 ms, that the worker waits before it calls a callback again that returned
 * -ENOMEM.
 */
#define RETRY_JIFFIES (HZ / 100 + 1)

enum event_type { STATE, FAILURE };

/**
 * struct event - a published event that the worker has not delivered yet
 * @type: says which of the two other members is valid
 * @state: the session's state after its change
 * @failure: the failure
 */
struct event {
	enum event_type type;
	union {
		enum bpmu_state state;
		struct bpmu_failure_info failure;
	};
};

static const struct bpmu_subscriber *subscriber;
static struct workqueue_struct *queue;

/* Serialises callers that publish events, because a kfifo may have only one writer at a time. */
static DEFINE_RAW_SPINLOCK(publish_lock);
static DEFINE_KFIFO(events, struct event, QUEUED);

static int deliver(const struct event *event)
{
	if (event->type == STATE)
		return subscriber->state(event->state);
	return subscriber->failure(&event->failure);
}

static void bpmu_events_work(struct work_struct *work)
{
	struct event event;

	while (kfifo_peek(&events, &event)) {
		if (deliver(&event) == -ENOMEM) {
			queue_delayed_work(queue, to_delayed_work(work),
					   RETRY_JIFFIES);
			return;
		}
		kfifo_skip(&events);
	}
}

static DECLARE_DELAYED_WORK(events_work, bpmu_events_work);

static void bpmu_watermark_work(struct work_struct *work)
{
	if (subscriber->watermark() == -ENOMEM)
		queue_delayed_work(queue, to_delayed_work(work), RETRY_JIFFIES);
}

static DECLARE_DELAYED_WORK(watermark_work, bpmu_watermark_work);

static void bpmu_watermark_irq(struct irq_work *work)
{
	queue_delayed_work(queue, &watermark_work, 0);
}

static DEFINE_IRQ_WORK(watermark_kick, bpmu_watermark_irq);

static void publish(const struct event *event)
{
	unsigned long flags;

	/* A full queue drops the event; BPMU_CMD_GET_INFO still reports the session's state. */
	raw_spin_lock_irqsave(&publish_lock, flags);
	kfifo_put(&events, *event);
	raw_spin_unlock_irqrestore(&publish_lock, flags);
	mod_delayed_work(queue, &events_work, 0);
}

/**
 * bpmu_events_state() - publish an event of the session: its state has changed
 * @state: the session's state after the change
 *
 * Context: process; locks may be held.
 */
void bpmu_events_state(enum bpmu_state state)
{
	const struct event event = { .type = STATE, .state = state };

	publish(&event);
}

/**
 * bpmu_events_failure() - publish an event of the session: a CPU could not be programmed
 * @info: CPU, registers and error
 *
 * Context: process; locks may be held.
 */
void bpmu_events_failure(const struct bpmu_failure_info *info)
{
	const struct event event = { .type = FAILURE, .failure = *info };

	publish(&event);
}

/**
 * bpmu_events_watermark() - publish the event that a buffer reached its watermark or lost a sample
 *
 * If this is called again before the worker runs, the subscriber gets only one event.
 *
 * Context: any, interrupts may be off; the sampling path.
 */
void bpmu_events_watermark(void)
{
	irq_work_queue(&watermark_kick);
}

/**
 * bpmu_events_init() - begin to deliver published events of the session to a subscriber
 * @to: the subscriber
 *
 * The workqueue that delivers them is unbound, so that its workers do not run on isolated CPUs.
 *
 * Context: module load, before anything is published.
 * Return: 0 or -ENOMEM.
 */
int bpmu_events_init(const struct bpmu_subscriber *to)
{
	queue = alloc_workqueue("barepmu", WQ_UNBOUND, 0);
	if (!queue)
		return -ENOMEM;
	subscriber = to;
	return 0;
}

/**
 * bpmu_events_exit() - deliver the queued events of the session, and then stop delivering
 *
 * Context: module unload, may sleep; without a session, while the subscriber still exists.
 */
void bpmu_events_exit(void)
{
	irq_work_sync(&watermark_kick);
	cancel_delayed_work_sync(&watermark_work);
	flush_delayed_work(&events_work);
	cancel_delayed_work_sync(&events_work);
	destroy_workqueue(queue);
}
