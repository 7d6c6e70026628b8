package com.ericsson.otp.erlang;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;

/** Objects from and to the serialized form of Java, which programs that were written against jinterface put into binaries. */
final class JavaObjects {
    private JavaObjects() {}

    static byte[] write(Object object) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        } catch (IOException e) {
            throw new IllegalArgumentException("Object must implement Serializable", e);
        }
        return bytes.toByteArray();
    }

    /** Reads an object; null where the bytes are not one. */
    static Object read(byte[] bytes) {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            return in.readObject();
        } catch (IOException | ClassNotFoundException e) {
            return null;
        }
    }
}
