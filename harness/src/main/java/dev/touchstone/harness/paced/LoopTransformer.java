package dev.touchstone.harness.paced;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import org.jspecify.annotations.Nullable;

/**
 * Has the loops that JMH generated for its throughput mode call {@link Pacing}. No benchmark need be written for it, or compiled again.
 *
 * <p>The loop is {@code result.startTime = System.nanoTime(); do { call } while (!control.isDone);}. Its first look at the clock becomes
 * {@link Pacing#begin}, its look at the flag {@link Pacing#isDone}: each as many bytes as what it replaces, with the same operands, so that
 * nothing else of the class changes.
 */
final class LoopTransformer implements ClassFileTransformer {
    private static final String GENERATED = "_jmhTest";
    private static final String LOOP = "_thrpt_jmhStub";
    private static final String PACING = "dev/touchstone/harness/paced/Pacing";
    private static final String CONTROL = "org/openjdk/jmh/runner/InfraControl";

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            @Nullable String className,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] classFile) {
        return className != null && className.endsWith(GENERATED) ? paced(classFile) : null;
    }

    static byte[] paced(byte[] classFile) {
        ClassFilePatch patch = new ClassFilePatch(classFile);
        int begin = patch.addMethod(PACING, "begin", "()J");
        int isDone = patch.addMethod(PACING, "isDone", "(L" + CONTROL + ";)Z");
        patch.replaceFirst(LOOP, ClassFilePatch.INVOKESTATIC, "java/lang/System", "nanoTime", begin);
        patch.replaceAll(LOOP, ClassFilePatch.GETFIELD, CONTROL, "isDone", isDone);
        return patch.toByteArray();
    }
}
