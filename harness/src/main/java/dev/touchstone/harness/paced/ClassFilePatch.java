package dev.touchstone.harness.paced;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A class file in which instructions are replaced by calls of static methods that take as many bytes (JVM specification, chapter 4). Constants are
 * added behind those there are, so that no number changes. Not thread-safe.
 */
final class ClassFilePatch {
    static final int GETFIELD = 0xb4;
    static final int INVOKESTATIC = 0xb8;

    private static final int COUNT_AT = 8;
    private static final int POOL_AT = 10;
    private static final int UTF8 = 1;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;
    private static final int CLASS = 7;
    private static final int METHOD = 10;
    private static final int NAME_AND_TYPE = 12;
    /** Bytes of a constant behind its tag, by tag; UTF8's stand before its text. */
    private static final String CONSTANT_BYTES = ".2.4488224444..324422"; // tags 0 .. 20
    /** Bytes of an instruction by its code, codes 0 .. 201; 0 where it depends. */
    private static final String CODE_BYTES = "1".repeat(16) + "232332" + "2222" + "1".repeat(28) + "22222"
            + "1".repeat(73)
            + "3" + "1".repeat(20) + "3".repeat(16) + "2" + "00" + "1".repeat(6) + "3".repeat(7) + "55" + "323" + "11"
            + "33" + "11" + "0" + "4" + "33" + "55";

    private static final int TABLESWITCH = 0xaa;
    private static final int LOOKUPSWITCH = 0xab;
    private static final int IINC = 0x84;

    private final ByteBuffer in;
    private final int[] constants;
    private final int poolEnd;
    private final ByteArrayOutputStream added = new ByteArrayOutputStream();
    private int count;

    ClassFilePatch(byte[] classFile) {
        in = ByteBuffer.wrap(classFile.clone());
        count = unsigned(COUNT_AT);
        constants = new int[count];
        int at = POOL_AT;
        for (int index = 1; index < count; index++) {
            constants[index] = at;
            int tag = in.get(at);
            at += 1 + CONSTANT_BYTES.charAt(tag) - '0' + (tag == UTF8 ? unsigned(at + 1) : 0);
            index += tag == LONG || tag == DOUBLE ? 1 : 0; // these count for two
        }
        poolEnd = at;
    }

    /** Adds a static method to what the class refers to. @return its number among the constants */
    int addMethod(String owner, String name, String descriptor) {
        int ownerClass = add(CLASS, addText(owner));
        int nameAndType = add(NAME_AND_TYPE, addText(name), addText(descriptor));
        return add(METHOD, ownerClass, nameAndType);
    }

    /** In every method whose name ends so, the first of these instructions calls {@code method}. */
    void replaceFirst(String methodEnd, int code, String owner, String name, int method) {
        replace(methodEnd, code, owner, name, method, 1);
    }

    /** In every method whose name ends so, all of these instructions call {@code method}. */
    void replaceAll(String methodEnd, int code, String owner, String name, int method) {
        replace(methodEnd, code, owner, name, method, Integer.MAX_VALUE);
    }

    byte[] toByteArray() {
        byte[] more = added.toByteArray();
        ByteBuffer out = ByteBuffer.allocate(in.capacity() + more.length);
        out.put(in.array(), 0, poolEnd).put(more).put(in.array(), poolEnd, in.capacity() - poolEnd);
        out.putShort(COUNT_AT, (short) count);
        return out.array();
    }

    private void replace(String methodEnd, int code, String owner, String name, int method, int most) {
        int at = skipMembers(poolEnd + 8 + 2 * unsigned(poolEnd + 6)); // behind the interfaces: the fields
        int methods = unsigned(at);
        at += 2;
        for (int i = 0; i < methods; i++) {
            boolean wanted = text(unsigned(at + 2)).endsWith(methodEnd);
            int attributes = unsigned(at + 6);
            at += 8;
            for (int j = 0; j < attributes; j++) {
                if (wanted && text(unsigned(at)).equals("Code")) {
                    replaceIn(at + 14, at + 14 + in.getInt(at + 10), code, owner, name, method, most);
                }
                at += 6 + in.getInt(at + 2);
            }
        }
    }

    private void replaceIn(int from, int to, int code, String owner, String name, int method, int most) {
        int replaced = 0;
        for (int at = from; at < to && replaced < most; at += length(at, from)) {
            if ((in.get(at) & 0xff) == code && refersTo(unsigned(at + 1), owner, name)) {
                in.put(at, (byte) INVOKESTATIC).putShort(at + 1, (short) method);
                replaced++;
            }
        }
    }

    private boolean refersTo(int reference, String owner, String name) {
        if (reference >= constants.length) {
            return false; // one of those added
        }
        int at = constants[reference];
        int ownerName = unsigned(constants[unsigned(at + 1)] + 1);
        int memberName = unsigned(constants[unsigned(at + 3)] + 1);
        return text(memberName).equals(name) && text(ownerName).equals(owner);
    }

    /** Behind the members (fields or methods) whose number stands here. */
    private int skipMembers(int from) {
        int at = from + 2;
        for (int i = 0; i < unsigned(from); i++) {
            int attributes = unsigned(at + 6);
            at += 8;
            for (int j = 0; j < attributes; j++) {
                at += 6 + in.getInt(at + 2);
            }
        }
        return at;
    }

    private int length(int at, int codeStart) {
        int code = in.get(at) & 0xff;
        int fixed = CODE_BYTES.charAt(code) - '0';
        if (fixed > 0) {
            return fixed;
        }
        int operands = at + 4 - (at - codeStart) % 4; // at the next multiple of 4
        return switch (code) {
            case TABLESWITCH -> operands + 12 + 4 * (in.getInt(operands + 8) - in.getInt(operands + 4) + 1) - at;
            case LOOKUPSWITCH -> operands + 8 + 8 * in.getInt(operands + 4) - at;
            default -> (in.get(at + 1) & 0xff) == IINC ? 6 : 4; // wide
        };
    }

    private String text(int index) {
        int at = constants[index];
        return new String(in.array(), at + 3, unsigned(at + 1), StandardCharsets.UTF_8);
    }

    private int unsigned(int at) {
        return in.getShort(at) & 0xffff;
    }

    private int addText(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        int index = add(UTF8, bytes.length);
        added.writeBytes(bytes);
        return index;
    }

    private int add(int tag, int... values) {
        try {
            DataOutputStream out = new DataOutputStream(added);
            out.writeByte(tag);
            for (int value : values) {
                out.writeShort(value);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e); // no stream writes to memory in vain
        }
        return count++;
    }
}
