package dev.touchstone.builds.master.rpc;

import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * A received message and its size. Immutable.
 *
 * @param message the message, or null if its bytes are none
 * @param bytes its size on the wire
 */
record Received<M>(@Nullable M message, int bytes) {
    /** Returns a method whose requests are received with their sizes, and may be no messages, in which case the transport would log and end the call. */
    static <R, S> MethodDescriptor<Received<R>, S> of(MethodDescriptor<R, S> method) {
        return method.toBuilder(new Marshaller<>(method.getRequestMarshaller()), method.getResponseMarshaller())
                .build();
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
                int bytes = from.available(); // the transport has the whole message
                return new Received<>(parsed(from), bytes);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private @Nullable M parsed(InputStream from) {
            try {
                return messages.parse(from);
            } catch (StatusRuntimeException e) {
                return null;
            }
        }
    }
}
