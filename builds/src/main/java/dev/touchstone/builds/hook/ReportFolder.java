package dev.touchstone.builds.hook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.touchstone.builds.file.OwnerOnly;
import java.io.IOException;
import java.lang.System.Logger;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The builds of which forges are still to be told, a small file for each, so that a restarted master goes on telling. A file that cannot be written or
 * read is logged and left out: no build waits for it. Each method may be called by any thread, for different jobs at once.
 */
final class ReportFolder {
    private static final Logger LOG = System.getLogger(ReportFolder.class.getName());
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String ENDING = ".json";
    private static final long MAX_BYTES = 64 << 10;

    private final Path folder;

    /**
     * Creates the folder's object; the folder itself is made with the first file.
     *
     * @param folder path that nobody else writes below; not null
     */
    ReportFolder(Path folder) {
        this.folder = folder;
    }

    /**
     * A build of which a forge is to be told.
     *
     * @param hook name of the hook, which need not be known any more
     * @param id id of the job
     */
    record Report(String hook, Push push, String id) {}

    /** Writes a build down; it is on the device when the method returns. */
    void add(Report report) {
        ObjectNode fields = MAPPER.createObjectNode();
        fields.put("hook", report.hook());
        fields.put("project", report.push().project());
        fields.put("branch", report.push().branch());
        fields.put("commit", report.push().commit());
        fields.put("job", report.id());
        try {
            OwnerOnly.folder(folder);
            OwnerOnly.replace(file(report.id()), ByteBuffer.wrap(MAPPER.writeValueAsBytes(fields)));
        } catch (IOException e) {
            LOG.log(
                    Logger.Level.WARNING,
                    "a restarted master will not tell the forge of a build: hook=" + report.hook() + " job="
                            + report.id(),
                    e);
        }
    }

    /** Removes a build, if it is there. */
    void remove(String id) {
        remove(file(id));
    }

    private static void remove(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            LOG.log(Logger.Level.WARNING, "a restarted master will read the file again: file=" + file, e);
        }
    }

    /** Returns all builds that are there; removes files that are none. */
    List<Report> all() {
        List<Path> files;
        try (Stream<Path> list = Files.list(folder)) {
            files = list.sorted().toList();
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException e) {
            LOG.log(Logger.Level.WARNING, "forges are not told of earlier builds: folder=" + folder, e);
            return List.of();
        }
        List<Report> reports = new ArrayList<>();
        for (Path file : files) {
            try {
                reports.add(read(file));
            } catch (IOException | IllegalArgumentException e) {
                LOG.log(Logger.Level.WARNING, "file is of no build and is removed: file=" + file, e);
                remove(file);
            }
        }
        return reports;
    }

    private Report read(Path file) throws IOException {
        if (Files.size(file) > MAX_BYTES) {
            throw new IOException("file is too long: most=" + MAX_BYTES);
        }
        JsonNode fields = MAPPER.readTree(file.toFile());
        Push push = new Push(text(fields, "project"), text(fields, "branch"), text(fields, "commit"));
        Report report = new Report(text(fields, "hook"), push, text(fields, "job"));
        if (!file.equals(file(report.id()))) {
            throw new IOException("file is of another job: job=" + report.id());
        }
        return report;
    }

    private static String text(JsonNode fields, String name) {
        JsonNode value = fields.path(name);
        if (!value.isTextual()) {
            throw new IllegalArgumentException("text is missing: field=" + name);
        }
        return value.asText();
    }

    /** Returns the file of a job, whose id is the master's own word. */
    private Path file(String id) {
        return folder.resolve(id + ENDING);
    }
}
