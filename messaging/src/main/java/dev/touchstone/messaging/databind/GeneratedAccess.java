package dev.touchstone.messaging.databind;

import dev.touchstone.messaging.etf.TermReader;
import dev.touchstone.messaging.etf.TermWriter;
import java.lang.constant.ConstantDescs;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Template of what {@link AccessGenerator} generates for a record: a hidden class of these very bytes. Only in a class of its own is a
 * handle a constant that the compiler inlines; in an instance's field it is a call through every one of its parts. Never initialized
 * under its own name, which has no handles.
 */
final class GeneratedAccess implements RecordAccess {
    private static final MethodHandle READ;
    private static final MethodHandle WRITE;

    static {
        try {
            TermCodec handles =
                    MethodHandles.classData(MethodHandles.lookup(), ConstantDescs.DEFAULT_NAME, TermCodec.class);
            READ = handles.read().asType(MethodType.methodType(Object.class, TermReader.class));
            WRITE = handles.write().asType(MethodType.methodType(void.class, TermWriter.class, Object.class));
        } catch (IllegalAccessException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @Override
    public Object read(TermReader reader) throws Throwable {
        return READ.invokeExact(reader);
    }

    @Override
    public void write(TermWriter writer, Object value) throws Throwable {
        WRITE.invokeExact(writer, value);
    }
}
