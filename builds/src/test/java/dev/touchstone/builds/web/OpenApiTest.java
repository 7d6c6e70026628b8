package dev.touchstone.builds.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.touchstone.builds.BuildCode;
import dev.touchstone.builds.hook.HookAnswer;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The description of the API has what the server answers, and the other way round. */
final class OpenApiTest {
    private final JsonNode document = read();

    private static JsonNode read() {
        try (InputStream in = WebServer.class.getResourceAsStream("openapi.json")) {
            return new ObjectMapper().readTree(in);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Set<String> names(JsonNode object) {
        Set<String> names = new TreeSet<>();
        object.fieldNames().forEachRemaining(names::add);
        return names;
    }

    private static Set<String> components(Class<? extends Record> type) {
        return Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getName)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private JsonNode schema(String name) {
        return Objects.requireNonNull(document.at("/components/schemas/" + name), name);
    }

    private JsonNode operation(Endpoint endpoint) {
        return document.get("paths").get(endpoint.path()).get(endpoint.method().toLowerCase(Locale.ROOT));
    }

    @Test
    void version_isThatOfTheFormat() {
        assertThat(document.get("openapi").asText()).isEqualTo("3.1.0");
    }

    @Test
    void operations_areTheEndpoints() {
        List<String> described = new ArrayList<>();
        document.get("paths")
                .properties()
                .forEach(path -> path.getValue()
                        .fieldNames()
                        .forEachRemaining(
                                method -> described.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey())));
        assertThat(described)
                .containsExactlyInAnyOrderElementsOf(Stream.of(Endpoint.values())
                        .map(endpoint -> endpoint.method() + " " + endpoint.path())
                        .toList());
    }

    @Test
    void parameters_areThoseOfTheEndpoints() {
        for (Endpoint endpoint : Endpoint.values()) {
            Set<String> query = new TreeSet<>();
            Set<String> path = new TreeSet<>();
            for (JsonNode parameter : operation(endpoint).path("parameters")) {
                String name = parameter.get("name").asText();
                switch (parameter.get("in").asText()) {
                    case "query" -> query.add(name);
                    case "path" -> path.add(name);
                    default -> assertThat(name).isIn("X-Touchstone", "Last-Event-ID", "Idempotency-Key");
                }
            }
            assertThat(query).as("query of " + endpoint).isEqualTo(endpoint.query());
            assertThat(path.stream().map(name -> "{" + name + "}").toList())
                    .as("path of " + endpoint)
                    .isEqualTo(Arrays.stream(endpoint.path().split("/", -1))
                            .filter(part -> part.startsWith("{"))
                            .toList());
        }
    }

    @Test
    void security_isMissingWhereNoTokenIsNeeded() {
        for (Endpoint endpoint : Endpoint.values()) {
            JsonNode security = operation(endpoint).get("security");
            boolean isOpen = security != null && security.isEmpty();
            assertThat(isOpen).as("open: " + endpoint).isEqualTo(endpoint.rights() == Endpoint.Rights.NONE);
        }
    }

    @Test
    void schemas_haveTheFieldsOfTheAnswers() {
        assertThat(names(schema("Job").get("properties"))).isEqualTo(components(JobSummary.class));
        assertThat(names(schema("Agent").get("properties"))).isEqualTo(components(AgentSummary.class));
        assertThat(names(schema("HookAnswer").get("properties"))).isEqualTo(components(HookAnswer.class));
        assertThat(names(schema("LogTimes").get("properties"))).isEqualTo(components(LogTimes.class));
        assertThat(names(schema("JobRequest").get("properties"))).isEqualTo(new TreeSet<>(JobForm.fields()));
        assertThat(names(schema("Problem").get("properties")))
                .isEqualTo(new TreeSet<>(Problem.of(400, "no", Problem.Place.BODY, "/x", "y")
                        .toJson()
                        .keySet()));
    }

    @Test
    void statuses_areAllThatAJobCanHave() {
        Set<String> statuses = new TreeSet<>();
        schema("Job").at("/properties/status/enum").forEach(word -> statuses.add(word.asText()));
        Set<String> codes = Arrays.stream(BuildCode.values())
                .map(code -> code == BuildCode.OK ? "SUCCEEDED" : code.name())
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(statuses).containsAll(codes);
        statuses.removeAll(codes);
        assertThat(statuses).containsExactly("ACCEPTING", "ASSIGNED", "DISCONNECTED", "ENDING", "LOGGING", "QUEUED");
    }

    @Test
    void references_leadToWhatIsThere() {
        for (JsonNode reference : document.findValues("$ref")) {
            String path = reference.asText();
            assertThat(path).startsWith("#/");
            assertThat(document.at(path.substring(1)).isMissingNode()).as(path).isFalse();
        }
        assertThat(document.findValues("additionalProperties"))
                .as("each schema says which fields there are")
                .hasSizeGreaterThan(6);
        assertThat(Map.of("schemas", names(document.at("/components/schemas"))))
                .as("no schema is unused")
                .allSatisfy((unused, names) -> assertThat(names)
                        .allSatisfy(name ->
                                assertThat(document.toString()).contains("\"#/components/schemas/" + name + "\"")));
    }
}
