package dev.touchstone.index.server.api.v2;

import dev.touchstone.index.server.api.ContentType;
import dev.touchstone.index.server.api.Handler;
import dev.touchstone.index.server.api.Response;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The handler of {@code /}: a page to try searches. The page is complete in itself, and its headers tell the browser to run and load nothing else.
 */
public final class PageHandler implements Handler {
    private final byte[] page = read("page.html");
    private final String policy;

    /** Creates a handler; reads the page from the resources. */
    public PageHandler() {
        String text = new String(page, StandardCharsets.UTF_8);
        policy = "default-src 'none'; script-src '" + hash(text, "script") + "'; style-src '" + hash(text, "style")
                + "'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
    }

    /** Returns the bytes of a resource of the package of this class. */
    static byte[] read(String name) {
        try (InputStream in = PageHandler.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("resource is missing: name=" + name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the hash of the text of the only element with a name. */
    private static String hash(String page, String element) {
        int from = page.indexOf("<" + element + ">") + element.length() + 2;
        int to = page.indexOf("</" + element + ">");
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256")
                    .digest(page.substring(from, to).getBytes(StandardCharsets.UTF_8));
            return "sha256-" + Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JVM has it
        }
    }

    @Override
    public void handle(byte[] bytes, int from, int to, Response answer) {
        answer.type(ContentType.HTML);
        answer.header("content-security-policy", policy);
        answer.header("x-content-type-options", "nosniff");
        answer.header("referrer-policy", "no-referrer");
        answer.put(page);
    }
}
