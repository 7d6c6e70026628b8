package dev.touchstone.builds.agent.isolation;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A program for the kernel (seccomp) that refuses the system calls for keys. Keys are in no namespace of a sandbox's: all builds of an agent would
 * share the session's keyring, and could read what else is in it.
 */
final class KeyringFilter {
    private static final int LOAD = 0x20; // BPF_LD | BPF_W | BPF_ABS
    private static final int AND = 0x54; // BPF_ALU | BPF_AND | BPF_K
    private static final int IF_EQUAL = 0x15; // BPF_JMP | BPF_JEQ | BPF_K
    private static final int IF_LESS_NOT = 0x35; // BPF_JMP | BPF_JGE | BPF_K
    private static final int RETURN = 0x06; // BPF_RET | BPF_K
    private static final int ALLOW = 0x7fff0000;
    private static final int REFUSE = 0x00050001; // with EPERM
    private static final int NUMBER = 0; // offsets in struct seccomp_data
    private static final int ARCHITECTURE = 4;
    private static final int WITHOUT_X32 = 0x3fffffff;
    private static final int CALLS = 3;

    /** Pairs of an architecture (AUDIT_ARCH_*) and the number of its call add_key, which request_key and keyctl follow. */
    private static final int[][] FIRST_CALLS = {
        {0xc000003e, 248}, // x86_64, and x32
        {0x40000003, 286}, // i386
        {0xc00000b7, 217}, // aarch64
        {0x40000028, 309}, // arm
        {0xc00000f3, 217}, // riscv64
        {0xc0000015, 269}, // ppc64le
        {0x80000016, 278}, // s390x
    };

    private KeyringFilter() {}

    /** Returns the program, in this machine's order of bytes. */
    static byte[] program() {
        ByteBuffer program = ByteBuffer.allocate(1 << 10).order(ByteOrder.nativeOrder());
        add(program, LOAD, 0, 0, ARCHITECTURE);
        for (int[] calls : FIRST_CALLS) {
            add(program, IF_EQUAL, 0, 6, calls[0]);
            add(program, LOAD, 0, 0, NUMBER);
            add(program, AND, 0, 0, WITHOUT_X32);
            add(program, IF_LESS_NOT, 0, 2, calls[1]);
            add(program, IF_LESS_NOT, 1, 0, calls[1] + CALLS);
            add(program, RETURN, 0, 0, REFUSE);
            add(program, RETURN, 0, 0, ALLOW);
        }
        add(program, RETURN, 0, 0, ALLOW);
        byte[] bytes = new byte[program.position()];
        program.get(0, bytes);
        return bytes;
    }

    private static void add(ByteBuffer program, int code, int ifTrue, int ifFalse, int operand) {
        program.putShort((short) code).put((byte) ifTrue).put((byte) ifFalse).putInt(operand);
    }
}
