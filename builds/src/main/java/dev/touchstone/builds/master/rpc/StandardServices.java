package dev.touchstone.builds.master.rpc;

import io.grpc.Attributes;
import io.grpc.BindableService;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The two services that tools of gRPC know: health (grpc.health.v1) and reflection (grpc.reflection.v1). What their messages take is given back as soon
 * as they are answered, and a message that is none, or a long one, ends its call. Thread-safe.
 */
final class StandardServices {
    /** The service of health. */
    static final String HEALTH = HealthGrpc.SERVICE_NAME;

    /** The service of reflection. */
    static final String REFLECTION = ServerReflectionGrpc.SERVICE_NAME;

    /** The longest message: reflection keeps each until its answer is read. */
    static final int MAX_MESSAGE = 1 << 10;

    private final Health health;
    private final ServerInterceptor counting;

    /** A message as it came. */
    private record Raw(InputStream stream, int bytes) {}

    /** Takes messages as they come. */
    private static final MethodDescriptor.Marshaller<Raw> AS_IT_CAME = new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(Raw message) {
            return message.stream();
        }

        @Override
        public Raw parse(InputStream from) {
            try {
                return new Raw(from, from.available()); // the transport has the whole message
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    };

    /**
     * Creates both, and reports that nothing is served yet.
     *
     * @param reported the services whose health is reported, the empty name for the whole server; not null
     * @param accounts returns the account of a call's connection, or null if the connection is closed; not null
     * @param complaints told of messages that are none; not null
     */
    StandardServices(
            Set<String> reported,
            Function<Attributes, @Nullable WaitingMessages> accounts,
            Reception.Complaints complaints) {
        this.health = new Health(reported);
        this.counting = new Counting(accounts, complaints);
    }

    /** Returns what a server is to serve. */
    List<ServerServiceDefinition> definitions() {
        return List.of(counted(health), counted(ProtoReflectionServiceV1.newInstance()));
    }

    /** Reports whether the master serves; whoever watches is told of a change. */
    void report(boolean isServing) {
        health.report(isServing);
    }

    /** Reports that nothing is served, from now on; whoever watches has it, or a second has passed, when it returns. */
    void close() {
        health.close();
    }

    private ServerServiceDefinition counted(BindableService service) {
        return ServerInterceptors.intercept(
                ServerInterceptors.useMarshalledMessages(service.bindService(), AS_IT_CAME), counting);
    }

    private record Counting(Function<Attributes, @Nullable WaitingMessages> accounts, Reception.Complaints complaints)
            implements ServerInterceptor {
        @Override
        public <R, S> ServerCall.Listener<R> interceptCall(
                ServerCall<R, S> call, Metadata headers, ServerCallHandler<R, S> next) {
            WaitingMessages account = accounts.apply(call.getAttributes());
            return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
                private boolean isEnded; // by us, so that nobody may end it again

                @Override
                public void onMessage(R message) {
                    int bytes = message instanceof Raw raw ? raw.bytes() : 0;
                    try {
                        if (bytes > MAX_MESSAGE) {
                            end("message is too long: most bytes=" + MAX_MESSAGE + " bytes=" + bytes);
                        } else if (!isEnded) {
                            super.onMessage(message);
                        }
                    } catch (StatusRuntimeException e) {
                        end(String.valueOf(e.getMessage()));
                    } finally {
                        if (account != null) {
                            account.dealtWith(bytes);
                        }
                    }
                }

                @Override
                public void onHalfClose() {
                    if (!isEnded) {
                        super.onHalfClose();
                    }
                }

                private void end(String reason) {
                    complaints.malformed(reason);
                    if (!isEnded) {
                        isEnded = true;
                        call.close(
                                Status.INVALID_ARGUMENT.withDescription("message cannot be read: " + reason),
                                new Metadata());
                    }
                }
            };
        }
    }
}
