package dev.touchstone.benchmarks.messaging.peer;

import com.ericsson.otp.erlang.OtpEpmd;
import com.ericsson.otp.erlang.OtpErlangBinary;
import com.ericsson.otp.erlang.OtpErlangObject;
import com.ericsson.otp.erlang.OtpMbox;
import com.ericsson.otp.erlang.OtpNode;
import dev.touchstone.messaging.epmd.EpmdServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** A node of jinterface with two mailboxes. */
public final class JinterfaceMailboxAdapter implements MailboxUnderTest {

    private final EpmdServer epmd;
    private final OtpNode node;
    private final OtpMbox first;
    private final OtpMbox second;
    private final OtpErlangObject message = new OtpErlangBinary(EchoUnderTest.answer());

    private JinterfaceMailboxAdapter() throws IOException {
        epmd = EpmdServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        OtpEpmd.useEpmdPort(epmd.port());
        node = new OtpNode("mailboxes@localhost", "touchstone");
        first = node.createMbox();
        second = node.createMbox();
    }

    /** Starts the node. */
    public static MailboxUnderTest open() throws IOException {
        return new JinterfaceMailboxAdapter();
    }

    @Override
    public Object thereAndBack() throws IOException {
        first.send(second.self(), message);
        OtpErlangObject there = JinterfaceEchoAdapter.receive(second);
        second.send(first.self(), there);
        return JinterfaceEchoAdapter.receive(first);
    }

    @Override
    public void plant(byte[] bytes) {
        node.createMbox().send(second.self(), new OtpErlangBinary(bytes));
    }

    @Override
    public byte[] bytes(Object message) {
        return ((OtpErlangBinary) message).binaryValue();
    }

    @Override
    public void close() throws IOException {
        node.close();
        epmd.close();
    }
}
