package dev.touchstone.builds.wire;

import io.grpc.ServerCredentials;
import io.grpc.okhttp.SslSocketFactoryServerCredentials;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/** Puts connections that are accepted in TLS, and lets in who shows a certificate that is trusted. Stateless. */
public final class TlsServer {
    private TlsServer() {}

    /** Returns the credentials of a server with a context's key and trusted certificates. */
    public static ServerCredentials credentials(SSLContext context) {
        return SslSocketFactoryServerCredentials.create(new Demanding(context.getSocketFactory()));
    }

    /** Makes sockets that ask for the other end's certificate. */
    private static final class Demanding extends SSLSocketFactory {
        private final SSLSocketFactory sockets;

        Demanding(SSLSocketFactory sockets) {
            this.sockets = sockets;
        }

        @Override
        public Socket createSocket(Socket accepted, String host, int port, boolean autoClose) throws IOException {
            SSLSocket socket = (SSLSocket) sockets.createSocket(accepted, host, port, autoClose);
            socket.setUseClientMode(false);
            socket.setNeedClientAuth(true);
            return socket;
        }

        @Override
        public String[] getDefaultCipherSuites() {
            return sockets.getDefaultCipherSuites();
        }

        @Override
        public String[] getSupportedCipherSuites() {
            return sockets.getSupportedCipherSuites();
        }

        @Override
        public Socket createSocket(String host, int port) {
            throw new UnsupportedOperationException("only for accepted sockets");
        }

        @Override
        public Socket createSocket(String host, int port, InetAddress local, int localPort) {
            throw new UnsupportedOperationException("only for accepted sockets");
        }

        @Override
        public Socket createSocket(InetAddress host, int port) {
            throw new UnsupportedOperationException("only for accepted sockets");
        }

        @Override
        public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
            throw new UnsupportedOperationException("only for accepted sockets");
        }
    }
}
