package dev.touchstone.benchmarks.index.http;

import java.util.Arrays;
import java.util.Optional;

/** The subjects of the benchmarks over HTTP, each a server and its routes, by the value of the parameter {@code subject}. */
public enum ServedSubject {
    OURS("all limits on", Api.V1, false),
    OURS_V2("all limits on", Api.V2, false),
    CEILING_CONSTANT("answers before it has looked", Api.V1, true),
    CEILING_CONSTANT_V2("answers before it has looked", Api.V2, true);

    private final String level;
    private final Api api;
    private final boolean ceiling;

    /** The versions of the API, with the mean length of their answers. */
    private enum Api {
        V1("/v1/search/bitmap/prices", "/v4/search/bitmap/bulk/prices", 88, 107),
        V2("/v2/search", "/v2/search/bulk", 345, 346);

        final String path;
        final String bulkPath;
        final int answerBytes; // to a search for one of the seed's prices
        final int itemBytes; // of one within a list

        Api(String path, String bulkPath, int answerBytes, int itemBytes) {
            this.path = path;
            this.bulkPath = bulkPath;
            this.answerBytes = answerBytes;
            this.itemBytes = itemBytes;
        }
    }

    ServedSubject(String level, Api api, boolean ceiling) {
        this.level = level;
        this.api = api;
        this.ceiling = ceiling;
    }

    /** Returns what the subject does, where that differs between subjects. */
    public String level() {
        return level;
    }

    /** Returns whether this is a physical limit. */
    public boolean ceiling() {
        return ceiling;
    }

    /** Returns the name of the physical limit that takes and gives as many bytes as the subject of a name; empty if there is no such subject. */
    static Optional<String> ceilingOf(String name) {
        return Arrays.stream(values())
                .filter(subject -> subject.name().equals(name))
                .flatMap(subject -> Arrays.stream(values()).filter(other -> other.ceiling && other.api == subject.api))
                .map(Enum::name)
                .findFirst();
    }

    /** Returns the route for one search, or for a list of them. */
    public String path(boolean isBulk) {
        return isBulk ? api.bulkPath : api.path;
    }

    /** Returns the mean length of an answer to a number of searches, in bytes. */
    public int answerBytes(int searches) {
        return searches == 1 ? api.answerBytes : searches * api.itemBytes;
    }
}
