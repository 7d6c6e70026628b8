package dev.touchstone.builds.wire;

import com.google.protobuf.Message;
import dev.touchstone.builds.wire.v1.Wire;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.protobuf.ProtoUtils;

/** The methods of the protocol's services, and the limits of their messages. Stateless. */
public final class Rpc {
    /** The service of clients. */
    public static final String CLIENTS = "touchstone.builds.v1.Clients";

    /** The service of agents. */
    public static final String AGENTS = "touchstone.builds.v1.Agents";

    /** Everything between a client and the master but logs. */
    public static final MethodDescriptor<Wire.FromClient, Wire.ToClient> CLIENT_SESSION =
            method(CLIENTS, "Session", Wire.FromClient.getDefaultInstance(), Wire.ToClient.getDefaultInstance());

    /** Questions for logs and their answers. */
    public static final MethodDescriptor<Wire.ReadLog, Wire.LogAnswer> CLIENT_LOGS =
            method(CLIENTS, "Logs", Wire.ReadLog.getDefaultInstance(), Wire.LogAnswer.getDefaultInstance());

    /** Everything between an agent and the master but logs. */
    public static final MethodDescriptor<Wire.FromAgent, Wire.ToAgent> AGENT_SESSION =
            method(AGENTS, "Session", Wire.FromAgent.getDefaultInstance(), Wire.ToAgent.getDefaultInstance());

    /** Logs, and how far they may be sent. */
    public static final MethodDescriptor<Wire.LogPiece, Wire.Credit> AGENT_LOGS =
            method(AGENTS, "Logs", Wire.LogPiece.getDefaultInstance(), Wire.Credit.getDefaultInstance());

    /** Artefacts, and how far they may be sent; from {@link Versions#FILES} on. */
    public static final MethodDescriptor<Wire.ArtefactPiece, Wire.ArtefactCredit> AGENT_ARTEFACTS = method(
            AGENTS, "Artefacts", Wire.ArtefactPiece.getDefaultInstance(), Wire.ArtefactCredit.getDefaultInstance());

    /** Questions for artefacts and their answers; from {@link Versions#FILES} on. */
    public static final MethodDescriptor<Wire.ReadArtefact, Wire.LogAnswer> CLIENT_ARTEFACTS =
            method(CLIENTS, "Artefacts", Wire.ReadArtefact.getDefaultInstance(), Wire.LogAnswer.getDefaultInstance());

    /** The header with the token: {@code Bearer} and a space before it (RFC 6750). */
    public static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    /** The header of a stream of logs with the number of its session, in hexadecimal digits. */
    public static final Metadata.Key<String> SESSION =
            Metadata.Key.of("touchstone-session", Metadata.ASCII_STRING_MARSHALLER);

    /** Stands before the token in its header. */
    public static final String BEARER = "Bearer ";

    /** Most bytes of a message. */
    public static final int MAX_MESSAGE = 1 << 20;

    /** Bytes of a stream that may be on their way without being read. */
    public static final int FLOW_WINDOW = 256 << 10;

    /** Bytes that wait in a stream's sending half before it takes no more. */
    public static final int SEND_WINDOW = 512 << 10;

    /** Most bytes of a log in one message of an agent. */
    public static final int MAX_PIECE = 64 << 10;

    /** Most bytes that are read of a log at once. */
    public static final int MAX_READ = 256 << 10;

    /** Bytes of a log that may be on their way from an agent to the master. */
    public static final long LOG_WINDOW = 512 << 10;

    private Rpc() {}

    private static <S extends Message, R extends Message> MethodDescriptor<S, R> method(
            String service, String name, S sent, R received) {
        return MethodDescriptor.<S, R>newBuilder()
                .setType(MethodDescriptor.MethodType.BIDI_STREAMING)
                .setFullMethodName(MethodDescriptor.generateFullMethodName(service, name))
                .setRequestMarshaller(ProtoUtils.marshaller(sent))
                .setResponseMarshaller(ProtoUtils.marshaller(received))
                .build();
    }
}
