package dev.touchstone.benchmarks.index.http;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Whole requests, as they go over the wire. */
final class HttpRequests {
    private HttpRequests() {}

    /** Posts bodies to a path. */
    static List<ByteBuffer> posts(InetSocketAddress server, String path, List<byte[]> bodies) {
        List<ByteBuffer> requests = new ArrayList<>(bodies.size());
        for (byte[] body : bodies) {
            byte[] head = ("POST " + path + " HTTP/1.1\r\nhost: " + server.getHostString() + ":" + server.getPort()
                            + "\r\ncontent-type: application/json\r\ncontent-length: " + body.length + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII);
            ByteBuffer request = ByteBuffer.allocateDirect(head.length + body.length);
            requests.add(request.put(head).put(body).flip());
        }
        return requests;
    }
}
