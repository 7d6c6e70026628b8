package dev.touchstone.jinterface;

import com.ericsson.otp.erlang.OtpErlangAtom;
import com.ericsson.otp.erlang.OtpErlangLong;
import com.ericsson.otp.erlang.OtpErlangObject;
import com.ericsson.otp.erlang.OtpInputStream;
import com.ericsson.otp.erlang.OtpOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** The outcomes of calls, line by line: results and exceptions, written the same for both libraries. */
class Trace {
    private final List<String> lines = new ArrayList<>();

    /** A call whose result is written. */
    interface Call {
        Object get() throws Throwable;
    }

    List<String> lines() {
        return lines;
    }

    /** Makes a call; of an exception its type counts, and the message of those that this package declares. */
    @SuppressWarnings("CatchingUnchecked")
    final void line(String label, Call call) {
        String result;
        try {
            result = text(call.get());
        } catch (Throwable e) {
            boolean declared = e.getClass().getName().startsWith("com.ericsson");
            result = "throws " + e.getClass().getName() + (declared ? ": " + e.getMessage() : "");
        }
        lines.add(label + " -> " + result);
    }

    private static String text(Object value) {
        if (value instanceof byte[] bytes) {
            return bytes.length <= 80
                    ? Arrays.toString(bytes)
                    : bytes.length + " bytes, hash " + Arrays.hashCode(bytes);
        }
        return value instanceof Object[] array
                ? Arrays.toString(array)
                : value instanceof int[] numbers ? Arrays.toString(numbers) : String.valueOf(value);
    }

    static byte[] encoded(OtpErlangObject term) {
        return new OtpOutputStream(term).toByteArray();
    }

    static byte[] written(Consumer<OtpOutputStream> writes) {
        OtpOutputStream out = new OtpOutputStream();
        writes.accept(out);
        return out.toByteArray();
    }

    static OtpInputStream in(int... bytes) {
        byte[] array = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            array[i] = (byte) bytes[i];
        }
        return new OtpInputStream(array);
    }

    static OtpErlangObject decoded(int... bytes) throws Exception {
        return in(bytes).read_any();
    }

    static OtpErlangObject atom(String name) {
        return new OtpErlangAtom(name);
    }

    static OtpErlangLong number(long value) {
        return new OtpErlangLong(value);
    }

    static OtpErlangObject[] array(OtpErlangObject... terms) {
        return terms;
    }
}
