/**
 * Classic BPF, as much of it as a seccomp filter needs (linux/filter.h, linux/bpf_common.h; kernel document
 * "Seccomp BPF"). Jumps are relative and forward only, so rules are written as blocks that either return or fall through.
 */
export interface Instruction {
  readonly code: number;
  readonly ifTrue: number;
  readonly ifFalse: number;
  readonly value: number;
}

/** BPF_LD | BPF_W | BPF_ABS */
const LOAD_WORD = 0x20;
/** BPF_JMP | BPF_JEQ | BPF_K */
const JUMP_EQUAL = 0x15;
/** BPF_JMP | BPF_JGE | BPF_K */
const JUMP_AT_LEAST = 0x35;
/** BPF_JMP | BPF_JSET | BPF_K */
const JUMP_ANY_BIT = 0x45;
/** BPF_RET | BPF_K */
const RETURN = 0x06;

/** Offsets into struct seccomp_data (linux/seccomp.h). Arguments are 64 bits; on little-endian machines the low half is first. */
export const SYSCALL_NUMBER = 0;
export const ARCHITECTURE = 4;

/** Where the low 32 bits of argument `index` (from 0) are. */
export function argument(index: number): number {
  return 16 + 8 * index;
}

/** Loads the 32-bit word at `offset`. */
export function load(offset: number): Instruction {
  return { code: LOAD_WORD, ifTrue: 0, ifFalse: 0, value: offset };
}

/** Ends the filter with a verdict. */
export function verdict(action: number): Instruction {
  return { code: RETURN, ifTrue: 0, ifFalse: 0, value: action };
}

/** Runs `block` when the loaded word equals `value`, else skips it. */
export function whenEqual(value: number, block: readonly Instruction[]): Instruction[] {
  return [{ code: JUMP_EQUAL, ifTrue: 0, ifFalse: distance(block), value }, ...block];
}

/** Runs `block` unless the loaded word equals `value`. */
export function unlessEqual(value: number, block: readonly Instruction[]): Instruction[] {
  return [{ code: JUMP_EQUAL, ifTrue: distance(block), ifFalse: 0, value }, ...block];
}

/** Runs `block` when the loaded word is `value` or more (unsigned). */
export function whenAtLeast(value: number, block: readonly Instruction[]): Instruction[] {
  return [{ code: JUMP_AT_LEAST, ifTrue: 0, ifFalse: distance(block), value }, ...block];
}

/** Runs `block` when the loaded word has any of the bits of `mask`. */
export function whenAnyBit(mask: number, block: readonly Instruction[]): Instruction[] {
  return [{ code: JUMP_ANY_BIT, ifTrue: 0, ifFalse: distance(block), value: mask }, ...block];
}

/** The program as the kernel reads it: an array of struct sock_filter, little-endian. */
export function assemble(program: readonly Instruction[]): Uint8Array {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [index, { code, ifTrue, ifFalse, value }] of program.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(ifTrue, index * 8 + 2);
    bytes.writeUInt8(ifFalse, index * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
  }
  return bytes;
}

function distance(block: readonly Instruction[]): number {
  if (block.length > 255) throw new RangeError('A BPF jump reaches 255 instructions.');
  return block.length;
}
