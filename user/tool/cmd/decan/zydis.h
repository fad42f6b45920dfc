/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Zydis, the x86 decoder and encoder, loaded when it is needed.
 */
#ifndef BPMU_ZYDIS_H
#define BPMU_ZYDIS_H

#include <Zydis/Zydis.h>

#include "base/error.h"

/* its functions, as far as they are used, under their own names */
struct bpmu_zydis {
	__typeof__(ZydisCalcAbsoluteAddressEx) *ZydisCalcAbsoluteAddressEx;
	__typeof__(ZydisDecoderDecodeFull) *ZydisDecoderDecodeFull;
	__typeof__(ZydisDecoderInit) *ZydisDecoderInit;
	__typeof__(ZydisEncoderDecodedInstructionToEncoderRequest)
		*ZydisEncoderDecodedInstructionToEncoderRequest;
	__typeof__(ZydisEncoderEncodeInstruction)
		*ZydisEncoderEncodeInstruction;
	__typeof__(ZydisEncoderNopFill) *ZydisEncoderNopFill;
	__typeof__(ZydisFormatterFormatInstruction)
		*ZydisFormatterFormatInstruction;
	__typeof__(ZydisFormatterInit) *ZydisFormatterInit;
	__typeof__(ZydisMnemonicGetString) *ZydisMnemonicGetString;
	__typeof__(ZydisRegisterEncode) *ZydisRegisterEncode;
	__typeof__(ZydisRegisterGetClass) *ZydisRegisterGetClass;
	__typeof__(ZydisRegisterGetId) *ZydisRegisterGetId;
	__typeof__(ZydisRegisterGetLargestEnclosing)
		*ZydisRegisterGetLargestEnclosing;
};

const struct bpmu_zydis *bpmu_zydis(struct bpmu_error *err);

#endif /* BPMU_ZYDIS_H */
