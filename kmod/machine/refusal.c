// SPDX-License-Identifier: GPL-2.0
#include "refusal.h"

#include <linux/kernel.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/string.h>

/*
 * Maximum number of composed sentences that are kept. Each sentence names a driver or a device, and
 * no machine has so many of them.
 */
#define MOST 64

/**
 * struct sentence - a sentence that was composed for a refusal, kept until the module is unloaded
 * @list: element of the list sentences
 * @text: the sentence
 */
struct sentence {
	struct list_head list;
	char text[];
};

/* Protects the list of composed sentences, and their number. */
static DEFINE_MUTEX(sentences_lock);
static LIST_HEAD(sentences);
static unsigned int nr_sentences;

/*
 * Returns the kept sentence with the text @text; if there is none, copies the text and keeps it.
 * Returns NULL if there is no memory, or MOST sentences are kept.
 */
static const struct sentence *keep(const char *text)
{
	struct sentence *sentence;
	size_t size;

	lockdep_assert_held(&sentences_lock);
	list_for_each_entry(sentence, &sentences, list)
		if (!strcmp(sentence->text, text))
			return sentence;
	if (nr_sentences == MOST)
		return NULL;
	size = strlen(text) + 1;
	sentence = kmalloc(struct_size(sentence, text, size), GFP_KERNEL);
	if (!sentence)
		return NULL;
	memcpy(sentence->text, text, size);
	list_add(&sentence->list, &sentences);
	nr_sentences++;
	return sentence;
}

/**
 * bpmu_refuse_fmt() - refuse a request with a sentence that is composed for it
 * @extack: extended ACK of the request
 * @format: format of the sentence, as printf() takes it
 *
 * netlink copies a sentence after the request's handler has returned, and the room that
 * NL_SET_ERR_MSG_FMT() has for it is too small (80 bytes, from Linux 6.2 on). Therefore the module
 * keeps each text once, until it is unloaded, and no request can overwrite the text of another.
 *
 * Context: process, may sleep.
 */
void bpmu_refuse_fmt(struct netlink_ext_ack *extack, const char *format, ...)
{
	const struct sentence *sentence = NULL;
	va_list args;
	char *text;

	va_start(args, format);
	text = kvasprintf(GFP_KERNEL, format, args);
	va_end(args);
	mutex_lock(&sentences_lock);
	if (text)
		sentence = keep(text);
	mutex_unlock(&sentences_lock);
	kfree(text);
	bpmu_refuse(extack, sentence ? sentence->text :
		    "registers are in use by another driver, and there is no memory to name it");
}

/**
 * bpmu_refusals_free() - free the sentences that were composed for refusals
 *
 * Context: module unload or failed load, when no request is being handled.
 */
void bpmu_refusals_free(void)
{
	struct sentence *sentence, *next;

	list_for_each_entry_safe(sentence, next, &sentences, list)
		kfree(sentence);
}
