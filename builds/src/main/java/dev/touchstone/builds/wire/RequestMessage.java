package dev.touchstone.builds.wire;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.wire.v1.Wire;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A request and the bytes of its message. Each is made of the other when it is asked for first, so that whoever only passes a request on need not
 * decode it. Immutable as seen from outside, and thread-safe: threads that ask at once may each make an equal value.
 */
public final class RequestMessage {
    /*
     * Who calls:  any thread, without a lock.
     * Invariants: whoever finds a field null writes it, and always a value that equals all others and has final fields only: whoever reads one sees
     *             it whole. A method reads a field once, since a second read might find it null again.
     */
    private static final int OBJECT_BYTES = 100; // in memory besides the bytes of the message

    private static final int NOOP_TAG =
            Wire.Request.NOOP_FIELD_NUMBER << 3 | WireFormat.WIRETYPE_VARINT; // as the encoding of protobuf has it

    private @Nullable BuildRequest request;
    private @Nullable ByteString bytes;
    private @Nullable Boolean isNoop;

    private RequestMessage(@Nullable BuildRequest request, @Nullable ByteString bytes) {
        this.request = request;
        this.bytes = bytes;
    }

    /** Returns the message of a request, which is not null. */
    public static RequestMessage of(BuildRequest request) {
        return new RequestMessage(request, null);
    }

    /** Returns the message of these bytes, which are not null and are looked at by the other methods only. */
    public static RequestMessage of(ByteString bytes) {
        return new RequestMessage(null, bytes);
    }

    /** Returns the bytes of the message. */
    public ByteString bytes() {
        ByteString known = bytes;
        if (known == null) {
            known = Requests.toMessage(request()).toByteString();
            bytes = known;
        }
        return known;
    }

    /**
     * Returns the request.
     *
     * @throws WireException if the bytes are no message, or one with values that it may not have
     */
    public BuildRequest request() {
        BuildRequest known = request;
        if (known == null) {
            try {
                known = Requests.of(Wire.Request.parseFrom(bytes()));
            } catch (InvalidProtocolBufferException e) {
                throw new WireException("request is no message: bytes=" + bytes().size(), e);
            }
            request = known;
        }
        return known;
    }

    /**
     * Returns whether the request is nothing to do, for which it need not be decoded.
     *
     * @throws WireException if the bytes are no message
     */
    public boolean isNoop() {
        Boolean known = isNoop;
        if (known == null) {
            BuildRequest decoded = request;
            known = decoded != null ? decoded.noop() : readNoop();
            isNoop = known;
        }
        return known;
    }

    private boolean readNoop() {
        boolean found = false;
        try {
            CodedInputStream fields = bytes().newCodedInput();
            for (int tag = fields.readTag(); tag != 0; tag = fields.readTag()) {
                if (tag == NOOP_TAG) {
                    found = fields.readBool();
                } else if (!fields.skipField(tag)) {
                    throw new WireException("request is no message: bytes=" + bytes().size());
                }
            }
        } catch (IOException e) {
            throw new WireException("request is no message: bytes=" + bytes().size(), e);
        }
        return found;
    }

    /** Returns the message without the decoded request, for keeping it. */
    public RequestMessage packed() {
        return new RequestMessage(null, bytes());
    }

    /** Returns about how many bytes it takes in memory once it is {@link #packed}. */
    public int weight() {
        return OBJECT_BYTES + bytes().size();
    }
}
