package dev.touchstone.builds.master.rpc;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import io.grpc.MethodDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A received message as bytes, which are parsed when a service deals with them: a message may take ten times the memory of its bytes, and many wait. Immutable.
 */
final class Received<M> {
    private final Parser<M> parser;
    private final byte[] content;
    private final boolean isPassing;

    private Received(Parser<M> parser, byte[] content, boolean isPassing) {
        this.parser = parser;
        this.content = content;
        this.isPassing = isPassing;
    }

    /**
     * Returns a method whose requests are received as bytes, which may be no messages, in which case the transport would log and end the call.
     *
     * @param isPassing whether nothing of a message is kept once it is dealt with: else a part of it would keep all its bytes
     */
    static <R extends MessageLite, S> MethodDescriptor<Received<R>, S> of(
            MethodDescriptor<R, S> method, boolean isPassing) {
        R prototype = ((MethodDescriptor.PrototypeMarshaller<R>) method.getRequestMarshaller()).getMessagePrototype();
        @SuppressWarnings("unchecked") // a message's parser makes messages of its kind
        Parser<R> parser = (Parser<R>) Objects.requireNonNull(prototype).getParserForType();
        return method.toBuilder(new Marshaller<>(parser, isPassing), method.getResponseMarshaller())
                .build();
    }

    /** Returns the number of its bytes. */
    int bytes() {
        return content.length;
    }

    /** Returns the message, or null if the bytes are none. */
    @Nullable
    M message() {
        CodedInputStream in = CodedInputStream.newInstance(content);
        in.enableAliasing(isPassing); // nobody changes the array
        try {
            M message = parser.parseFrom(in);
            in.checkLastTagWas(0);
            return message;
        } catch (InvalidProtocolBufferException e) {
            return null;
        }
    }

    private record Marshaller<M>(Parser<M> parser, boolean isPassing)
            implements MethodDescriptor.Marshaller<Received<M>> {
        @Override
        public InputStream stream(Received<M> value) {
            throw new UnsupportedOperationException("the master receives requests only");
        }

        @Override
        public Received<M> parse(InputStream from) {
            try {
                byte[] content = new byte[from.available()]; // of a message it is the length
                int read = from.readNBytes(content, 0, content.length);
                if (read != content.length || from.read() >= 0) {
                    throw new IllegalStateException("message is not as long as the transport says: bytes=" + read);
                }
                return new Received<>(parser, content, isPassing);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
