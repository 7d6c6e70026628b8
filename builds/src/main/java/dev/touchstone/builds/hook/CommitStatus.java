package dev.touchstone.builds.hook;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The way in which a forge takes the state of a build. Implementations are stateless. */
interface CommitStatus {
    /**
     * Returns the request that tells a forge.
     *
     * @param target the forge's API and the token that it wants
     * @param push the commit that is built
     */
    HttpRequest.Builder request(Hook.Target target, Push push, StatusReport report);

    /** Returns a POST of JSON to a path below the API. */
    static HttpRequest.Builder post(Hook.Target target, String path, Map<String, String> body) {
        String api = target.api().toString();
        String base = api.endsWith("/") ? api.substring(0, api.length() - 1) : api;
        try {
            byte[] json = new ObjectMapper().writeValueAsBytes(body);
            return HttpRequest.newBuilder(URI.create(base + path))
                    .header("Content-Type", "application/json")
                    .header("Accept", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofByteArray(json));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns a path as one part of an address. */
    static String encoded(String path) {
        return java.net.URLEncoder.encode(path, StandardCharsets.UTF_8);
    }
}
