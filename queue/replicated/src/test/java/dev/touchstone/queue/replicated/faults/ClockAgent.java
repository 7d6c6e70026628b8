package dev.touchstone.queue.replicated.faults;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/**
 * An agent by which all classes but the JDK's ask {@link JumpingClock} in the place of {@link System#currentTimeMillis}: in the constant pool
 * of a class, the reference to that method gets another class. Monotonic clocks are not changed, as they are not when a clock is set.
 */
public final class ClockAgent {
    /*
     * The constant pool (JVM specification, 4.4):
     *  | tag 1 | length 2 | bytes |  Utf8          | tag 1 | name 2 |            Class
     *  | tag 1 | class 2 | name and type 2 |  Methodref     | tag 1 | name 2 | descriptor 2 |  NameAndType
     */
    private static final int COUNT_AT = 8;
    private static final int UTF8 = 1;
    private static final int LONG = 5;
    private static final int DOUBLE = 6;
    private static final int CLASS = 7;
    private static final int METHOD = 10;
    private static final byte[] NAME = "currentTimeMillis".getBytes(StandardCharsets.UTF_8);
    private static final String CLOCK = JumpingClock.class.getName().replace('.', '/');

    private ClockAgent() {}

    /** Changes the classes that are loaded from now on; called by the JVM. */
    public static void premain(String argument, Instrumentation instrumentation) {
        instrumentation.addTransformer(new ClassFileTransformer() {
            @Override
            public byte @Nullable [] transform(
                    @Nullable ClassLoader loader,
                    @Nullable String name,
                    @Nullable Class<?> redefined,
                    @Nullable ProtectionDomain domain,
                    byte[] bytes) {
                boolean isOurs = ClassLoader.getSystemClassLoader().equals(loader) && !CLOCK.equals(name);
                return isOurs ? transformed(bytes) : null;
            }
        });
    }

    /** Writes a jar that names this class as its agent, which is loaded from the class path. */
    static void writeJar(Path file) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(new Attributes.Name("Premain-Class"), ClockAgent.class.getName());
        try (OutputStream out = Files.newOutputStream(file);
                JarOutputStream jar = new JarOutputStream(out, manifest)) {
            jar.finish();
        }
    }

    /** Returns a class that asks our clock, or null if it asks none. */
    static byte @Nullable [] transformed(byte[] bytes) {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        int count = Short.toUnsignedInt(in.getShort(COUNT_AT));
        int[] at = new int[count];
        int position = COUNT_AT + Short.BYTES;
        int named = 0;
        for (int i = 1; i < count; i++) {
            at[i] = position;
            int tag = bytes[position];
            if (tag == UTF8 && hasName(in, position)) {
                named = i;
            }
            position += length(in, position);
            i += tag == LONG || tag == DOUBLE ? 1 : 0;
        }
        return named == 0 ? null : redirected(bytes, at, named, position);
    }

    private static boolean hasName(ByteBuffer in, int position) {
        int length = Short.toUnsignedInt(in.getShort(position + 1));
        return length == NAME.length && in.slice(position + 3, length).equals(ByteBuffer.wrap(NAME));
    }

    private static int length(ByteBuffer in, int position) {
        return switch (in.get(position)) {
            case UTF8 -> 3 + Short.toUnsignedInt(in.getShort(position + 1));
            case CLASS, 8, 16, 19, 20 -> 3;
            case 15 -> 4;
            case LONG, DOUBLE -> 9;
            default -> 5;
        };
    }

    /** Lets each reference to the method of {@link System} name our class, which is added behind the constants. */
    private static byte @Nullable [] redirected(byte[] bytes, int[] at, int named, int end) {
        ByteBuffer out = ByteBuffer.wrap(bytes.clone());
        boolean isChanged = false;
        for (int i = 1; i < at.length; i++) {
            if (at[i] > 0 && bytes[at[i]] == METHOD) {
                int owner = Short.toUnsignedInt(out.getShort(at[i] + 1));
                int nameAndType = Short.toUnsignedInt(out.getShort(at[i] + 3));
                if (Short.toUnsignedInt(out.getShort(at[nameAndType] + 1)) == named && isSystem(out, at, owner)) {
                    out.putShort(at[i] + 1, (short) (at.length + 1));
                    isChanged = true;
                }
            }
        }
        out.putShort(COUNT_AT, (short) (at.length + 2));
        return isChanged ? spliced(out.array(), end, at.length) : null;
    }

    private static boolean isSystem(ByteBuffer in, int[] at, int owner) {
        int name = at[Short.toUnsignedInt(in.getShort(at[owner] + 1))];
        byte[] expected = "java/lang/System".getBytes(StandardCharsets.UTF_8);
        int length = Short.toUnsignedInt(in.getShort(name + 1));
        return length == expected.length && in.slice(name + 3, length).equals(ByteBuffer.wrap(expected));
    }

    private static byte[] spliced(byte[] bytes, int end, int nameIndex) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length + CLOCK.length() + 6);
        try (DataOutputStream data = new DataOutputStream(out)) {
            data.write(bytes, 0, end);
            data.writeByte(UTF8);
            data.writeUTF(CLOCK);
            data.writeByte(CLASS);
            data.writeShort(nameIndex);
            data.write(bytes, end, bytes.length - end);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }
}
