package dev.touchstone.samples.consumer;

import dev.touchstone.index.server.api.Limits;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.http.HttpOptions;
import dev.touchstone.index.server.http.HttpServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;

/** Starts the search service at a free port and asks it for a price. */
final class ServerSample implements Sample {
    private static final String REQUEST =
            "{\"offering\":\"o1\",\"conditions\":[{\"field\":\"group\",\"value\":\"g5\"}]}";

    @Override
    public void run(Path folder) throws Exception {
        HttpOptions options = HttpOptions.DEFAULT.withAddress("127.0.0.1", 0);
        try (HttpServer server = HttpServer.start(new PriceService(IndexSample.index(), Limits.DEFAULT), options)) {
            URI uri = URI.create("http://127.0.0.1:" + server.address().getPort() + "/v2/search");
            HttpRequest request = HttpRequest.newBuilder(uri)
                    .POST(HttpRequest.BodyPublishers.ofString(REQUEST))
                    .build();
            String answer = HttpClient.newHttpClient()
                    .send(request, BodyHandlers.ofString())
                    .body();
            if (!answer.contains("9.90")) {
                throw new IllegalStateException("answer=" + answer);
            }
        }
    }
}
