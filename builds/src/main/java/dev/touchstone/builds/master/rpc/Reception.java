package dev.touchstone.builds.master.rpc;

import com.google.protobuf.Descriptors;
import com.google.protobuf.MessageLite;
import dev.touchstone.builds.access.Access;
import dev.touchstone.builds.access.Admission;
import dev.touchstone.builds.access.Caller;
import dev.touchstone.builds.access.Role;
import dev.touchstone.builds.wire.Outlet;
import dev.touchstone.builds.wire.Rpc;
import dev.touchstone.builds.wire.WireException;
import dev.touchstone.builds.wire.v1.Wire;
import io.grpc.Attributes;
import io.grpc.Codec;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.DecompressorRegistry;
import io.grpc.InsecureServerCredentials;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerMethodDefinition;
import io.grpc.ServerServiceDefinition;
import io.grpc.ServiceDescriptor;
import io.grpc.Status;
import io.grpc.okhttp.OkHttpServerBuilder;
import io.grpc.protobuf.ProtoFileDescriptorSupplier;
import io.grpc.stub.ServerCalls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The door of the master: lets in who has a token for what he asks for, and hands what each stream says to the thread of the service that it is for. */
public final class Reception implements AutoCloseable {
    private static final int MAX_CALLS = 4; // of a connection, of which guests need three
    private static final int MAX_HEADERS = 8 << 10;
    private static final long PING_NANOS =
            TimeUnit.MILLISECONDS.toNanos(250); // no more often is a guest to ask whether the master is there
    private static final long CLOSE_SECONDS = 10;
    private static final long REFRESH_MILLIS = 250;
    private static final Context.Key<Caller> CALLER = Context.key("caller");

    /** Admits no compressed messages, of which a few bytes could become many. */
    private static final DecompressorRegistry PLAIN =
            DecompressorRegistry.emptyInstance().with(Codec.Identity.NONE, false);

    private final Complaints complaints;
    private final Access access;
    private final ConnectionGate gate;
    private final StandardServices standard;
    private final Server server;

    /** Takes what streams of one kind say, on the thread of a service. */
    public interface Service<R, S> {
        /**
         * Takes a message.
         *
         * @throws WireException if it may not be so: the stream is ended
         */
        void take(R message, Outlet<S> from);

        /** Notes that a stream has ended. */
        void left(Outlet<S> gone);
    }

    /** Leads to the service of a stream. Called by any thread. */
    public interface Entrance<R, S> {
        /**
         * Returns the service of a new stream.
         *
         * @param caller whoever has begun the stream; not null
         * @param session the number of the session that the stream is of, -1 if it names none
         * @return the service, or null if there is no such session, or it has this stream already
         */
        @Nullable
        Service<R, S> of(Caller caller, long session);
    }

    /**
     * Lists what the door leads to, each with its thread.
     *
     */
    public record Services(
            Inbox control,
            Entrance<Wire.FromAgent, Wire.ToAgent> agents,
            Entrance<Wire.FromClient, Wire.ToClient> clients,
            Inbox logs,
            Entrance<Wire.LogPiece, Wire.Credit> agentLogs,
            Inbox views,
            Entrance<Wire.ReadLog, Wire.LogAnswer> clientLogs,
            Inbox artefacts,
            Entrance<Wire.ArtefactPiece, Wire.ArtefactCredit> agentArtefacts,
            Entrance<Wire.ReadArtefact, Wire.LogAnswer> clientArtefacts) {}

    /** Is told of what guests say or show that is not accepted. Called by any thread. */
    public interface Complaints {
        /** Notes a message that may not be so. */
        void malformed(@Nullable String reason);

        /** Notes a call or a connection that is not let in; there are few different reasons. */
        void refused(String reason);
    }

    /**
     * Opens the door.
     *
     * @param address to listen on; beyond this machine with TLS only
     * @throws IOException if it cannot listen
     * @throws IllegalArgumentException if others could listen in: an address that is not loopback, without TLS
     */
    public Reception(InetSocketAddress address, Admission admission, Complaints complaints, Services services)
            throws IOException {
        if (!address.getAddress().isLoopbackAddress() && admission.tls().isEmpty()) {
            throw new IllegalArgumentException("listening beyond this machine needs TLS: address="
                    + address.getAddress().getHostAddress());
        }
        this.complaints = complaints;
        this.access = admission.access();
        this.gate = new ConnectionGate(admission.tls(), admission.tick(), complaints);
        this.standard = new StandardServices(Set.of("", Rpc.AGENTS, Rpc.CLIENTS), this::account, complaints);
        long tick = admission.tick().toNanos();
        this.server = OkHttpServerBuilder.forPort(address, InsecureServerCredentials.create())
                .socketFactory(gate) // which puts connections in TLS
                .directExecutor() // what is called only puts into an inbox
                .decompressorRegistry(PLAIN)
                .maxConnectionIdle(tick, TimeUnit.NANOSECONDS)
                .flowControlWindow(Rpc.FLOW_WINDOW)
                .maxInboundMessageSize(Rpc.MAX_MESSAGE)
                .maxInboundMetadataSize(MAX_HEADERS)
                .maxConcurrentCallsPerConnection(MAX_CALLS)
                .keepAliveTime(tick / 2, TimeUnit.NANOSECONDS)
                .keepAliveTimeout(tick / 2, TimeUnit.NANOSECONDS)
                .permitKeepAliveTime(PING_NANOS, TimeUnit.NANOSECONDS)
                .permitKeepAliveWithoutCalls(true)
                .intercept(new Guard())
                .addService(definition(
                        "Agents",
                        method(Rpc.AGENT_SESSION, false, services.control(), services.agents()),
                        method(Rpc.AGENT_LOGS, true, services.logs(), services.agentLogs()),
                        method(Rpc.AGENT_ARTEFACTS, true, services.artefacts(), services.agentArtefacts())))
                .addService(definition(
                        "Clients",
                        method(Rpc.CLIENT_SESSION, false, services.control(), services.clients()),
                        method(Rpc.CLIENT_LOGS, false, services.views(), services.clientLogs()),
                        method(Rpc.CLIENT_ARTEFACTS, false, services.artefacts(), services.clientArtefacts())))
                .addServices(standard.definitions())
                .build()
                .start();
    }

    /** Returns the TCP port that it listens on. */
    public int port() {
        return server.getPort();
    }

    /** Reports by gRPC's health service whether the master serves; until the first call it says that it does not. */
    public void report(boolean isServing) {
        standard.report(isServing);
    }

    /** Ends the connections of those whose tokens are revoked, until nobody is let in any more. */
    public void run() throws InterruptedException {
        while (!server.awaitTermination(REFRESH_MILLIS, TimeUnit.MILLISECONDS)) {
            if (access.refresh()) {
                gate.keep(access::isValid);
            }
        }
    }

    /** Lets in calls that show a token with a role for their service; a connection has one token. */
    private final class Guard implements ServerInterceptor {
        @Override
        public <R, S> ServerCall.Listener<R> interceptCall(
                ServerCall<R, S> call, Metadata headers, ServerCallHandler<R, S> next) {
            GuestSocket guest = gate.find(call.getAttributes());
            if (guest == null) {
                return refuse(call, Status.UNAVAILABLE.withDescription("connection is closed"));
            }
            guest.countCall();
            String shown = headers.get(Rpc.AUTHORIZATION);
            Caller caller = shown == null || !shown.startsWith(Rpc.BEARER)
                    ? null
                    : access.find(shown.substring(Rpc.BEARER.length()));
            if (caller != null && !gate.admit(guest, caller)) {
                return refuse(call, Status.RESOURCE_EXHAUSTED.withDescription("token has too many connections"));
            }
            // in this order: a token that is revoked meanwhile is seen here, or its connection is closed
            if (caller == null || !guest.known(caller) || !access.isValid(caller)) {
                gate.refused(guest);
                complaints.refused(shown == null ? "no token" : "another token");
                return refuse(call, Status.UNAUTHENTICATED.withDescription("token is not the master's"));
            }
            String service = String.valueOf(call.getMethodDescriptor().getServiceName());
            if (!mayCall(caller, service)) {
                complaints.refused("token has not the role");
                return refuse(
                        call,
                        Status.PERMISSION_DENIED.withDescription("token has not the role: token=" + caller + " roles="
                                + caller.roles() + " service=" + service));
            }
            return Contexts.interceptCall(Context.current().withValue(CALLER, caller), call, headers, next);
        }
    }

    private static boolean mayCall(Caller caller, String service) {
        return switch (service) {
            case Rpc.AGENTS -> caller.roles().contains(Role.AGENT);
            case StandardServices.HEALTH -> true;
            case StandardServices.REFLECTION -> caller.roles().contains(Role.ADMIN);
            default -> caller.mayBeClient();
        };
    }

    private @Nullable WaitingMessages account(Attributes call) {
        GuestSocket guest = gate.find(call);
        return guest == null ? null : guest.waiting();
    }

    private static <R> ServerCall.Listener<R> refuse(ServerCall<R, ?> call, Status why) {
        call.close(why, new Metadata());
        return new ServerCall.Listener<>() {};
    }

    /** Returns a service of `builds.proto`, which reflection tells of. */
    private static ServerServiceDefinition definition(String name, ServerMethodDefinition<?, ?>... methods) {
        Descriptors.ServiceDescriptor described = Wire.getDescriptor().findServiceByName(name);
        ServiceDescriptor.Builder service = ServiceDescriptor.newBuilder(described.getFullName())
                .setSchemaDescriptor((ProtoFileDescriptorSupplier) described::getFile);
        for (ServerMethodDefinition<?, ?> method : methods) {
            service.addMethod(method.getMethodDescriptor());
        }
        ServerServiceDefinition.Builder definition = ServerServiceDefinition.builder(service.build());
        for (ServerMethodDefinition<?, ?> method : methods) {
            definition.addMethod(method);
        }
        return definition.build();
    }

    private <R extends MessageLite, S> ServerMethodDefinition<Received<R>, S> method(
            MethodDescriptor<R, S> method, boolean isPassing, Inbox thread, Entrance<R, S> entrance) {
        return ServerMethodDefinition.create(Received.of(method, isPassing), handler(thread, entrance));
    }

    private <R, S> ServerCallHandler<Received<R>, S> handler(Inbox thread, Entrance<R, S> entrance) {
        return (call, headers) -> {
            Service<R, S> service = entrance.of(CALLER.get(), session(headers));
            GuestSocket guest = gate.find(call.getAttributes());
            if (service == null || guest == null) {
                return refuse(
                        call,
                        Status.FAILED_PRECONDITION.withDescription("no such session, or it has this stream already"));
            }
            GuestStream.Room room = new GuestStream.Room() {
                @Override
                public void dealtWith(int bytes) {
                    guest.waiting().dealtWith(bytes);
                }

                @Override
                public boolean isScarce() {
                    return gate.isRoomScarce();
                }
            };
            return ServerCalls.<Received<R>, S>asyncBidiStreamingCall(
                            out -> new GuestStream<>(out, thread, service, complaints, room))
                    .startCall(call, headers);
        };
    }

    /** Returns the number of a session that a call names; -1 if it names none. */
    private static long session(Metadata headers) {
        String digits = headers.get(Rpc.SESSION);
        try {
            return digits == null ? -1 : Long.parseLong(digits, 16);
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    /** Ends all connections, and returns when the port is free. */
    @Override
    public void close() {
        standard.close();
        server.shutdownNow();
        try {
            boolean unused = server.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
