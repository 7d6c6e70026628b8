package dev.touchstone.builds.cli;

import dev.touchstone.builds.BuildFiles;
import dev.touchstone.cli.FailureMessages;
import dev.touchstone.cli.UsageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * The original's {@code cider.yml}: {@code master{url,token}}, {@code slave{label}}, {@code repository{url}} and
 * {@code script{path,runner,env[]}}. Ours are {@code script{artefacts[],caches[]}}. Other keys are passed over.
 */
final class ConfigFile {
    static final String NAME = "cider.yml";
    static final ConfigFile NONE = new ConfigFile(Map.of(), Map.of(), BuildFiles.NONE);

    private static final int MAX_BYTES = 1 << 20;
    private static final int MAX_ALIASES = 10;
    private static final List<String> KEYS =
            List.of("master.url", "master.token", "slave.label", "repository.url", "script.path", "script.runner");

    private final Map<String, String> values;
    private final Map<String, String> variables;
    private final BuildFiles files;

    private ConfigFile(Map<String, String> values, Map<String, String> variables, BuildFiles files) {
        this.values = values;
        this.variables = variables;
        this.files = files;
    }

    /** Returns the file of a folder; without any, one with nothing. */
    static ConfigFile in(Path folder) {
        Path file = folder.resolve(NAME);
        return Files.exists(file) ? of(yaml(file)) : NONE;
    }

    /**
     * Returns what a YAML file has; null for an empty one.
     *
     * @throws UsageException if the file cannot be read, is no YAML or has more than 1 MiB; the message names the file
     */
    static @Nullable Object yaml(Path file) {
        String name = String.valueOf(file.getFileName());
        byte[] bytes;
        try (var in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        } catch (IOException e) {
            throw new UsageException("file cannot be read: file=" + name + " cause=" + FailureMessages.describe(e), e);
        }
        if (bytes.length > MAX_BYTES) {
            throw new UsageException("file is too large: file=" + name + ", expected at most " + MAX_BYTES + " bytes");
        }
        LoadSettings settings = LoadSettings.builder()
                .setLabel(name)
                .setCodePointLimit(MAX_BYTES)
                .setMaxAliasesForCollections(MAX_ALIASES)
                .build();
        try {
            return new Load(settings).loadFromInputStream(new java.io.ByteArrayInputStream(bytes));
        } catch (YamlEngineException e) {
            throw new UsageException("file is not valid YAML: file=" + name + " cause=" + firstLine(e), e);
        }
    }

    private static ConfigFile of(@Nullable Object root) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String key : KEYS) {
            Object value = at(root, key);
            if (value instanceof Map || value instanceof List) {
                throw new UsageException("key is not a text: file=" + NAME + " key=" + key);
            }
            if (value != null) {
                values.put(key, value.toString());
            }
        }
        return new ConfigFile(values, variables(root), files(root));
    }

    private static String firstLine(YamlEngineException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }

    private static @Nullable Object at(@Nullable Object root, String key) {
        Object value = root;
        for (String part : key.split("\\.", -1)) {
            if (value != null && !(value instanceof Map)) {
                throw new UsageException("key is not a map: file=" + NAME + " above=" + key);
            }
            value = value instanceof Map<?, ?> map ? map.get(part) : null;
        }
        return value;
    }

    private static List<String> list(@Nullable Object root, String key) {
        Object value = at(root, key);
        if (value != null && !(value instanceof List)) {
            throw new UsageException("key is not a list: file=" + NAME + " key=" + key);
        }
        List<String> texts = new ArrayList<>();
        (value instanceof List<?> list ? list : List.of()).forEach(element -> texts.add(String.valueOf(element)));
        return texts;
    }

    private static Map<String, String> assignments(@Nullable Object root, String key) {
        Map<String, String> assignments = new LinkedHashMap<>();
        list(root, key).forEach(each -> Settings.addVariable(assignments, each, NAME + ": " + key));
        return assignments;
    }

    private static Map<String, String> variables(@Nullable Object root) {
        return assignments(root, "script.env");
    }

    private static BuildFiles files(@Nullable Object root) {
        return new BuildFiles(list(root, "script.artefacts"), false, assignments(root, "script.caches"));
    }

    /** Returns what builds hand on. */
    BuildFiles files() {
        return files;
    }

    Optional<String> find(String key) {
        String value = values.get(key);
        return value == null || value.isEmpty() ? Optional.empty() : Optional.of(value);
    }

    Map<String, String> variables() {
        return variables;
    }
}
