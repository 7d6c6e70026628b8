package dev.touchstone.messaging.databind;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * A generator of a class for each bound type, from the template {@link GeneratedAccess}. The class is unloaded with its only instance.
 */
final class AccessGenerator {
    private AccessGenerator() {}

    static RecordAccess generate(TermCodec handles) {
        try {
            MethodHandles.Lookup hidden =
                    MethodHandles.lookup().defineHiddenClassWithClassData(template(), handles, true);
            return (RecordAccess) hidden.findConstructor(hidden.lookupClass(), MethodType.methodType(void.class))
                    .invoke();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("access class cannot be defined", e);
        }
    }

    private static byte[] template() {
        String file = GeneratedAccess.class.getSimpleName() + ".class";
        try (InputStream bytes = AccessGenerator.class.getResourceAsStream(file)) {
            if (bytes == null) {
                throw new IllegalStateException("class file is missing: file=" + file);
            }
            return bytes.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
