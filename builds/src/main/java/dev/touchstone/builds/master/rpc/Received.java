package dev.touchstone.builds.master.rpc;

import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * A received message as bytes, which are parsed when a service deals with them: a message may take ten times the memory of its bytes, and many wait. Immutable.
 */
final class Received<M> {
    private final MethodDescriptor.Marshaller<M> messages;
    private final byte[] content;

    private Received(MethodDescriptor.Marshaller<M> messages, byte[] content) {
        this.messages = messages;
        this.content = content;
    }

    /** Returns a method whose requests are received as bytes, which may be no messages, in which case the transport would log and end the call. */
    static <R, S> MethodDescriptor<Received<R>, S> of(MethodDescriptor<R, S> method) {
        return method.toBuilder(new Marshaller<>(method.getRequestMarshaller()), method.getResponseMarshaller())
                .build();
    }

    /** Returns the number of its bytes. */
    int bytes() {
        return content.length;
    }

    /** Returns the message, or null if its bytes are none. */
    @Nullable
    M message() {
        try {
            return messages.parse(new ByteArrayInputStream(content));
        } catch (StatusRuntimeException e) {
            return null;
        }
    }

    private record Marshaller<M>(MethodDescriptor.Marshaller<M> messages)
            implements MethodDescriptor.Marshaller<Received<M>> {
        @Override
        public InputStream stream(Received<M> value) {
            throw new UnsupportedOperationException("the master receives requests only");
        }

        @Override
        public Received<M> parse(InputStream from) {
            try {
                return new Received<>(messages, from.readAllBytes());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
