package dev.touchstone.builds.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that senders of half a large body keep nobody out for long. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BodiesTest {
    private static final int LARGE = 20_000;
    private static final int MANY = 20;

    private final Bodies bodies = new Bodies();
    private final AtomicInteger used = new AtomicInteger();

    private boolean isRead(Exchange exchange) throws IOException {
        try {
            bodies.read(new Reply(exchange), body -> used.incrementAndGet());
            return true;
        } catch (Problem e) {
            assertThat(e.status()).isEqualTo(503);
            return false;
        }
    }

    /** Returns a sender of half a body, once another thread waits for the other half. */
    private Half half(List<Thread> threads) throws InterruptedException {
        Half half = new Half();
        Thread thread = new Thread(() -> {
            try {
                boolean unused = isRead(half);
            } catch (IOException e) {
                // the connection was ended
            }
        });
        thread.start();
        threads.add(thread);
        half.rest.waiting.await();
        return half;
    }

    @Test
    void halfBodies_thatTakeAllPlaces_giveWayOneByOne() throws Exception {
        List<Half> all = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        boolean isRead = true;
        while (isRead && all.size() < MANY) {
            all.add(half(threads));
            isRead = isRead(new Exchange(new ByteArrayInputStream(new byte[LARGE])));
        }
        assertThat(isRead).as("there are fewer places").isFalse();
        while (!isRead) {
            isRead = isRead(new Exchange(new ByteArrayInputStream(new byte[LARGE])));
        }
        threads.get(0).join();
        assertThat(all.get(0).isClosed()).isTrue();
        assertThat(all.subList(1, all.size())).noneMatch(Half::isClosed);
        assertThat(used).hasValue(all.size());
        for (Half half : all) {
            half.close();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** The rest of a body that does not come before the connection ends. */
    private static final class Rest extends InputStream {
        private final CountDownLatch waiting = new CountDownLatch(1);
        private final CountDownLatch closed = new CountDownLatch(1);

        @Override
        public int read() throws IOException {
            waiting.countDown();
            try {
                closed.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw new IOException("closed");
        }

        @Override
        public int read(byte[] into, int offset, int most) throws IOException {
            return read();
        }
    }

    private static final class Half extends Exchange {
        private final Rest rest;

        Half() {
            this(new Rest());
        }

        private Half(Rest rest) {
            super(new SequenceInputStream(new ByteArrayInputStream(new byte[LARGE]), rest));
            this.rest = rest;
        }

        boolean isClosed() {
            return rest.closed.getCount() == 0;
        }

        @Override
        public void close() {
            rest.closed.countDown();
        }
    }

    /** A request without a server. */
    private static class Exchange extends HttpExchange {
        private final InputStream body;
        private final Headers headers = new Headers();

        Exchange(InputStream body) {
            this.body = body;
        }

        @Override
        public Headers getRequestHeaders() {
            return headers;
        }

        @Override
        public Headers getResponseHeaders() {
            return headers;
        }

        @Override
        public URI getRequestURI() {
            return URI.create("/");
        }

        @Override
        public String getRequestMethod() {
            return "POST";
        }

        @Override
        public HttpContext getHttpContext() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}

        @Override
        public InputStream getRequestBody() {
            return body;
        }

        @Override
        public OutputStream getResponseBody() {
            return new ByteArrayOutputStream();
        }

        @Override
        public void sendResponseHeaders(int code, long length) {}

        @Override
        public InetSocketAddress getRemoteAddress() {
            throw new UnsupportedOperationException();
        }

        @Override
        public int getResponseCode() {
            return 200;
        }

        @Override
        public InetSocketAddress getLocalAddress() {
            throw new UnsupportedOperationException();
        }

        @Override
        public String getProtocol() {
            return "HTTP/1.1";
        }

        @Override
        public Object getAttribute(String name) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void setAttribute(String name, Object value) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void setStreams(InputStream in, OutputStream out) {
            throw new UnsupportedOperationException();
        }

        @Override
        public HttpPrincipal getPrincipal() {
            throw new UnsupportedOperationException();
        }
    }
}
