package dev.touchstone.harness.paced;

import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The measured loops of a class that JMH generated, changed to call {@link Pacing}. No benchmark need be written for it, or compiled again.
 *
 * <p>JMH generates a loop for each of its modes, whichever the benchmark is annotated with. Two of them are changed, in a JMH group those of each
 * of its methods:
 * <ul>
 * <li>throughput: {@code start = System.nanoTime(); do { call } while (!control.isDone);}, which also stands in for average and sample time
 * <li>single shot: {@code start = System.nanoTime(); for (i = 0; i < batchSize; i++) { if (control.volatileSpoiler) return; call }}
 * </ul>
 */
final class PacedLoops {
    private static final String THROUGHPUT = "_thrpt_jmhStub";
    private static final String SINGLE_SHOT = "_ss_jmhStub";
    private static final String CONTROL = "org/openjdk/jmh/runner/InfraControl";
    private static final String PACING = "dev/touchstone/harness/paced/Pacing";

    private PacedLoops() {}

    /** Returns the class file with paced loops. */
    static byte[] in(byte[] classFile) {
        ClassReader reader = new ClassReader(classFile);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new Loops(writer), 0);
        return writer.toByteArray();
    }

    private static final class Loops extends ClassVisitor {
        Loops(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, @Nullable String signature, String @Nullable [] thrown) {
            MethodVisitor next = super.visitMethod(access, name, descriptor, signature, thrown);
            String suffix = name.endsWith(THROUGHPUT) ? THROUGHPUT : SINGLE_SHOT;
            return name.endsWith(suffix) ? new Loop(next, name.substring(0, name.length() - suffix.length())) : next;
        }
    }

    private static final class Loop extends MethodVisitor {
        private final String benchmark;
        private boolean begun;

        Loop(MethodVisitor next, String benchmark) {
            super(Opcodes.ASM9, next);
            this.benchmark = benchmark;
        }

        @Override
        public void visitMethodInsn(int code, String owner, String name, String descriptor, boolean isInterface) {
            if (!begun && owner.equals("java/lang/System") && name.equals("nanoTime")) {
                begun = true;
                visitLdcInsn(benchmark);
                callPacing("begin", "(Ljava/lang/String;)J");
            } else {
                super.visitMethodInsn(code, owner, name, descriptor, isInterface);
            }
        }

        @Override
        public void visitFieldInsn(int code, String owner, String name, String descriptor) {
            boolean looksAtEnd = name.equals("isDone") || name.equals("volatileSpoiler");
            if (looksAtEnd && owner.equals(CONTROL)) {
                callPacing(name, "(L" + CONTROL + ";)Z");
            } else {
                super.visitFieldInsn(code, owner, name, descriptor);
            }
        }

        /** Counts the calls of a batch: only the single-shot loop has such an instruction. */
        @Override
        public void visitIincInsn(int variable, int increment) {
            callPacing("ended", "()V");
            super.visitIincInsn(variable, increment);
        }

        private void callPacing(String method, String descriptor) {
            super.visitMethodInsn(Opcodes.INVOKESTATIC, PACING, method, descriptor, false);
        }
    }
}
