package dev.touchstone.index.server.http;

import static dev.touchstone.index.server.http.Client.get;
import static dev.touchstone.index.server.http.Client.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.touchstone.index.server.access.Access;
import dev.touchstone.index.server.access.Tokens;
import dev.touchstone.index.server.api.Limits;
import dev.touchstone.index.server.api.PriceService;
import dev.touchstone.index.server.api.Route;
import dev.touchstone.index.server.api.SamplePrices;
import dev.touchstone.index.server.http.Client.Reply;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests to each route of a running service with and without tokens, and from other hosts and pages: which are answered, and which refused. */
@Timeout(60)
class AccessHttpTest {
    private static final String NOTHING = "{}";

    @TempDir
    Path folder = Path.of("");

    private @Nullable HttpServer server;

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
    }

    private Client client(Access access) throws IOException {
        HttpOptions options = HttpOptions.DEFAULT
                .withAddress("127.0.0.1", 0)
                .withEventLoops(1)
                .withAccess(access);
        PriceService service = new PriceService(SamplePrices.index(), Limits.DEFAULT);
        HttpServer started = HttpServer.start(service, options);
        server = started;
        return new Client(started.address());
    }

    private Tokens tokens() throws IOException {
        assumeThat(FileSystems.getDefault().supportedFileAttributeViews()).contains("posix");
        Path file = Files.createFile(
                folder.resolve("tokens"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(
                file,
                "search search-0123456789\nupdate update-0123456789\nsearch,update mixed-0123456789\nadmin admin-0123456789\n");
        return Tokens.fromFile(file);
    }

    private static String request(Route route, String headers) {
        String plain = route.method().equals("GET") ? get(route.path()) : post(route.path(), NOTHING);
        return plain.replace("host: localhost\r\n", "host: localhost\r\n" + headers);
    }

    @ParameterizedTest
    @EnumSource(Route.class)
    void route_isAnsweredForTokensOfItsRoleOnly(Route route) throws IOException {
        try (Client client = client(Access.DEFAULT.withTokens(tokens()))) {
            boolean isOpen = List.of(Route.HEALTH, Route.READY, Route.OPEN_API, Route.PAGE)
                    .contains(route);
            boolean isUpdate = route == Route.UPDATE;
            boolean isSearch = !isOpen && !isUpdate && route != Route.METRICS;
            check(client, route, "", isOpen ? 0 : 401);
            check(client, route, "authorization: Basic c2VhcmNoLTAxMjM0NTY3ODk6\r\n", isOpen ? 0 : 401);
            check(client, route, "authorization: Bearer search-0123456788\r\n", isOpen ? 0 : 401);
            check(client, route, "authorization: Bearer \r\n", isOpen ? 0 : 401);
            check(client, route, "authorization: Bearer search-0123456789\r\n", isOpen || isSearch ? 0 : 403);
            check(client, route, "authorization: Bearer update-0123456789\r\n", isOpen || isUpdate ? 0 : 403);
            check(client, route, "authorization: bearer mixed-0123456789\r\n", route == Route.METRICS ? 403 : 0);
            check(client, route, "authorization: Bearer  admin-0123456789 \r\n", 0);
        }
    }

    /** Asks, and expects a refusal with a status, or none if the status is 0. */
    private static void check(Client client, Route route, String headers, int refusal) throws IOException {
        Reply response = client.ask(request(route, headers));
        if (refusal == 0) {
            assertThat(response.status()).as(route + " " + headers).isNotIn(401, 403);
            assertThat(response.headers()).doesNotContainKey("www-authenticate");
        } else {
            assertThat(response.status()).as(route + " " + headers).isEqualTo(refusal);
            assertThat(response.headers().get("www-authenticate")).startsWith("Bearer realm=\"index-server\"");
            assertThat(response.body()).doesNotContain("0123456789");
        }
    }

    @Test
    void refusal_namesWhatIsMissing() throws IOException {
        try (Client client = client(Access.DEFAULT.withTokens(tokens()))) {
            Reply unknown = client.ask(request(Route.UPDATE, "authorization: Bearer x\r\n"));
            assertThat(unknown.headers().get("www-authenticate")).endsWith("error=\"invalid_token\"");
            Reply other = client.ask(request(Route.UPDATE, "authorization: Bearer search-0123456789\r\n"));
            assertThat(other.headers().get("www-authenticate")).endsWith("scope=\"update\"");
            assertThat(other.body()).isEqualTo("the token has not the role: role=update\n");
            assertThat(client.ask(get("/v2/index")
                                    .replace("localhost", "localhost\r\nauthorization: Bearer admin-0123456789"))
                            .body())
                    .contains("\"version\":1");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/health, localhost, 200",
        "/health, 127.0.0.1:8080, 200",
        "/health, prices.example, 200",
        "/health, evil.example, 421",
        "/v2/index, evil.example, 421",
        "/nope, evil.example, 421",
        "/nope, localhost, 404",
        "http://prices.example/health, localhost, 200",
        "http://evil.example/health, localhost, 421",
        "https://evil.example/health, localhost, 421",
        "http://prices.example/health, evil.example, 421",
    })
    void host_thatIsNotTheServices_isRefusedOnEachRoute(String target, String host, int status) throws IOException {
        try (Client client = client(Access.DEFAULT.withHosts(Set.of("prices.example")))) {
            Reply response = client.ask(get(target).replace("host: localhost", "host: " + host));
            assertThat(response.status()).isEqualTo(status);
            assertThat(client.ask(get("/health")).status()).isEqualTo(200);
        }
    }

    @Test
    void host_givenTwice_isRefused() throws IOException {
        try (Client client = client(Access.DEFAULT)) {
            assertThat(client.ask(get("/health").replace("host: localhost", "host: localhost\r\nhost: localhost"))
                            .status())
                    .isEqualTo(400);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/v2/prices, '', 200",
        "/v2/prices, http://localhost, 200",
        "/v2/prices, https://localhost, 403",
        "/v2/prices, http://localhost:81, 403",
        "/v2/prices, http://evil.example, 403",
        "/v2/prices, null, 403",
        "/v2/prices, https://shop.example, 200",
        "/v2/prices, https://shop.example.evil, 403",
        "/v2/search, http://evil.example, 409",
    })
    void origin_ofAnotherSite_isRefusedForUpdates(String path, String origin, int status) throws IOException {
        String header = origin.isEmpty() ? "" : "\r\norigin: " + origin;
        try (Client client = client(Access.DEFAULT.withOrigins(Set.of("https://shop.example")))) {
            String request = post(path, NOTHING).replace("host: localhost", "host: localhost" + header);
            assertThat(client.ask(request).status()).isEqualTo(status);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/v2/search, https://shop.example, POST, true",
        "/v2/prices, https://shop.example, POST, true",
        "/v2/index, https://shop.example, GET, true",
        "/v2/search, https://evil.example, POST, false",
        "/v2/search, null, POST, false",
        "/v2/search, HTTPS://SHOP.EXAMPLE, POST, false",
    })
    void preflight_isAnsweredForPagesOfAllowedOriginsOnly(String path, String origin, String method, boolean isAllowed)
            throws IOException {
        Access access = Access.DEFAULT.withTokens(tokens()).withOrigins(Set.of("https://shop.example"));
        try (Client client = client(access)) {
            Reply response = client.ask("OPTIONS " + path + " HTTP/1.1\r\nhost: localhost\r\norigin: " + origin
                    + "\r\naccess-control-request-method: " + method + "\r\n\r\n");
            assertThat(response.status()).isEqualTo(isAllowed ? 200 : 405);
            if (isAllowed) {
                assertThat(response.headers())
                        .containsEntry("access-control-allow-origin", origin)
                        .containsEntry("access-control-allow-methods", method)
                        .containsEntry("access-control-allow-headers", "authorization, content-type")
                        .containsEntry("vary", "origin");
            } else {
                assertThat(response.headers().keySet()).noneMatch(name -> name.startsWith("access-control"));
            }
            assertThat(client.ask(get("/health")).headers()).doesNotContainKey("access-control-allow-origin");
        }
    }

    @Test
    void answersAndRefusals_areReadableByPagesOfAllowedOrigins() throws IOException {
        Access access = Access.DEFAULT.withTokens(tokens()).withOrigins(Set.of("https://shop.example"));
        try (Client client = client(access)) {
            String origin = "origin: https://shop.example\r\n";
            for (String headers : List.of(origin, origin + "authorization: Bearer search-0123456789\r\n")) {
                Reply response = client.ask(request(Route.SEARCH, headers));
                assertThat(response.status()).isIn(401, 409);
                assertThat(response.headers()).containsEntry("access-control-allow-origin", "https://shop.example");
            }
        }
    }

    @Test
    void start_beyondThisMachine_isRefusedBeforeTheServerListens() {
        PriceService service = new PriceService(SamplePrices.index(), Limits.DEFAULT);
        HttpOptions options = HttpOptions.DEFAULT.withAddress("0.0.0.0", 0);

        assertThatThrownBy(() -> HttpServer.start(service, options))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("host=0.0.0.0 tokens=none tls=none");
    }
}
