package dev.touchstone.harness.paced;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * The jar that stands first on the class path of a fork without work: the class of a benchmark method whose body does nothing, so that the fork times
 * an empty method of the same name, parameters and result, in the loop that JMH generated for it.
 */
public final class EmptyJar {
    private EmptyJar() {}

    /**
     * Writes the jar.
     *
     * @param file where; is replaced if it exists
     * @param declaring class that declares the method
     * @param method name of the method
     * @throws IOException if the jar can't be written, or the class has no class file
     */
    public static void write(Path file, Class<?> declaring, String method) throws IOException {
        String resource = declaring.getName().replace('.', '/') + ".class";
        try (InputStream in = declaring.getClassLoader().getResourceAsStream(resource);
                JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file))) {
            if (in == null) {
                throw new FileNotFoundException("no class file of " + declaring.getName());
            }
            jar.putNextEntry(new ZipEntry(resource));
            jar.write(without(in.readAllBytes(), method));
            jar.closeEntry();
        }
    }

    /** Returns the class file with methods of a name that do nothing, and return null, zero or false. */
    static byte[] without(byte[] classFile, String method) {
        ClassReader reader = new ClassReader(classFile);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(
                new ClassVisitor(Opcodes.ASM9, writer) {
                    @Override
                    public @Nullable MethodVisitor visitMethod(
                            int access,
                            String name,
                            String descriptor,
                            @Nullable String signature,
                            String @Nullable [] thrown) {
                        MethodVisitor next = super.visitMethod(access, name, descriptor, signature, thrown);
                        if (!name.equals(method) || (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)) != 0) {
                            return next;
                        }
                        writeEmpty(next, Type.getReturnType(descriptor));
                        return null; // the old body is passed over
                    }
                },
                0);
        return writer.toByteArray();
    }

    private static void writeEmpty(MethodVisitor method, Type result) {
        method.visitCode();
        switch (result.getSort()) {
            case Type.VOID -> {}
            case Type.LONG -> method.visitInsn(Opcodes.LCONST_0);
            case Type.FLOAT -> method.visitInsn(Opcodes.FCONST_0);
            case Type.DOUBLE -> method.visitInsn(Opcodes.DCONST_0);
            case Type.OBJECT, Type.ARRAY -> method.visitInsn(Opcodes.ACONST_NULL);
            default -> method.visitInsn(Opcodes.ICONST_0);
        }
        method.visitInsn(result.getOpcode(Opcodes.IRETURN));
        method.visitMaxs(0, 0); // are computed
        method.visitEnd();
    }
}
