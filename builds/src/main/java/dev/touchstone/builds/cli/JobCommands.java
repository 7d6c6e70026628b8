package dev.touchstone.builds.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.touchstone.builds.AgentStatus;
import dev.touchstone.builds.Artefact;
import dev.touchstone.builds.Build;
import dev.touchstone.builds.BuildClient;
import dev.touchstone.builds.BuildResult;
import dev.touchstone.builds.BuildStatus;
import dev.touchstone.builds.BuildSummary;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.Ranges;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The program. Its methods are the commands that ask a master for jobs and agents; the others are classes. */
@Command(
        name = "builds",
        description = "Runs builds on machines that carry a label: a master, its agents and a client.")
final class JobCommands {
    private static final String EXIT_OK = "0:Done.";
    private static final String EXIT_USAGE = "2:The command line, the environment or cider.yml cannot be used.";
    private static final String EXIT_REFUSED =
            "123:There is no such job for this token, or the master refuses the token.";
    private static final String EXIT_FAILED = "125:The master could not be reached, or the connection was lost.";
    private static final int MAX_LISTED = 10_000;

    /** Characters that steer a terminal, or look like another line or another order of characters. */
    private static final Pattern STEERING = Pattern.compile("[\\p{Cc}\\u2028-\\u202e\\u2066-\\u2069]");

    private final ProcessContext around;

    JobCommands(ProcessContext around) {
        this.around = around;
    }

    @Command(
            name = "jobs",
            description = "Lists the newest jobs that the token may see, the newest first; noops are left out.",
            exitCodeList = {EXIT_OK, EXIT_USAGE, EXIT_REFUSED, EXIT_FAILED})
    int jobs(
            @Mixin ClientFlags flags,
            @Option(
                            names = "--most",
                            paramLabel = "COUNT",
                            defaultValue = "20",
                            description = "Maximum number of jobs. Default: ${DEFAULT-VALUE}.")
                    int most,
            @Option(names = "--json", description = "Print one JSON document on stdout instead of the text.")
                    boolean isJson)
            throws IOException, InterruptedException {
        Ranges.check("--most", most, 1, MAX_LISTED);
        try (BuildClient client = flags.connect(settings(), around.err())) {
            List<Map<String, Object>> rows = new ArrayList<>();
            for (BuildSummary job : ClientFlags.get(client.jobs(most))) {
                Map<String, Object> row = new LinkedHashMap<>();
                row.put("owner", job.owner());
                row.put("repository", job.repository());
                row.put("branch", job.branch());
                row.put("script", job.script());
                row.putAll(fields(job.status()));
                rows.add(row);
            }
            print(
                    rows,
                    isJson,
                    row -> row.get("job") + "  " + row.get("state") + "  " + row.get("repository") + "#"
                            + row.get("branch") + "  " + row.get("script")
                            + ("".equals(row.get("owner")) ? "" : "  " + row.get("owner")));
        }
        return ExitCode.OK;
    }

    @Command(
            name = "agents",
            description = "Lists the agents that are connected.",
            exitCodeList = {EXIT_OK, EXIT_USAGE, EXIT_REFUSED, EXIT_FAILED})
    int agents(
            @Mixin ClientFlags flags,
            @Option(names = "--json", description = "Print one JSON document on stdout instead of the text.")
                    boolean isJson)
            throws IOException, InterruptedException {
        try (BuildClient client = flags.connect(settings(), around.err())) {
            List<Map<String, Object>> rows = new ArrayList<>();
            for (AgentStatus agent : ClientFlags.get(client.agents())) {
                Map<String, Object> row = new LinkedHashMap<>();
                row.put("agent", agent.identity());
                row.put("busy", agent.busy());
                row.put("executors", agent.executors());
                row.put("labels", agent.labels());
                row.put("runners", agent.runners());
                rows.add(row);
            }
            print(
                    rows,
                    isJson,
                    row -> row.get("agent") + "  " + row.get("busy") + " of " + row.get("executors") + "  labels="
                            + row.get("labels") + " runners=" + row.get("runners"));
        }
        return ExitCode.OK;
    }

    @Command(
            name = "show",
            description = "Shows where a job is, or how it ended.",
            exitCodeList = {EXIT_OK, EXIT_USAGE, EXIT_REFUSED, EXIT_FAILED})
    int show(
            @Mixin ClientFlags flags,
            @Parameters(paramLabel = "JOB", description = "Id of the job, as build --detach and jobs print it.")
                    String id,
            @Option(names = "--json", description = "Print one JSON document on stdout instead of the text.")
                    boolean isJson)
            throws IOException, InterruptedException {
        try (BuildClient client = flags.connect(settings(), around.err())) {
            Map<String, Object> fields = fields(ClientFlags.get(client.job(id).status()));
            if (isJson) {
                json(fields);
            } else {
                for (Map.Entry<String, Object> field : fields.entrySet()) {
                    printText(field.getKey() + ": " + field.getValue());
                }
            }
        }
        return ExitCode.OK;
    }

    @Command(
            name = "logs",
            description = {
                "Prints the log of a job, byte for byte.",
                "",
                "Without -f, what there is now. With -f, until the build has ended; the exit code is then that of build."
            },
            exitCodeList = {EXIT_OK, EXIT_USAGE, EXIT_REFUSED, EXIT_FAILED})
    int logs(
            @Mixin ClientFlags flags,
            @Parameters(paramLabel = "JOB", description = "Id of the job, as build --detach and jobs print it.")
                    String id,
            @Option(
                            names = {"-f", "--follow"},
                            description = "Follow the log until the build has ended.")
                    boolean isFollowed)
            throws IOException, InterruptedException {
        try (BuildClient client = flags.connect(settings(), around.err())) {
            Build build = client.job(id);
            long end = isFollowed
                    ? Long.MAX_VALUE
                    : ClientFlags.get(build.status()).logBytes();
            if (end > 0) {
                long unused = ClientFlags.get(build.follow(0, (offset, bytes) -> write(bytes, offset, end)));
            }
            return isFollowed ? BuildsExitCode.of(ClientFlags.get(build.result())) : ExitCode.OK;
        }
    }

    /** Writes bytes up to an end; returns whether more are wanted. */
    private boolean write(ByteBuffer bytes, long offset, long end) {
        byte[] copy = new byte[(int) Math.min(bytes.remaining(), end - offset)];
        bytes.get(copy);
        try {
            around.out().write(copy);
            around.out().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return offset + copy.length < end;
    }

    @Command(
            name = "cancel",
            description = "Cancels a job, wherever it is, and returns at once.",
            exitCodeList = {
                "0:The job is being cancelled.",
                "1:The job had ended before.",
                EXIT_USAGE,
                EXIT_REFUSED,
                EXIT_FAILED
            })
    int cancel(
            @Mixin ClientFlags flags,
            @Parameters(paramLabel = "JOB", description = "Id of the job, as build --detach and jobs print it.")
                    String id,
            @Option(
                            names = "--reason",
                            paramLabel = "TEXT",
                            defaultValue = "cancelled by a command",
                            description = "Text for the result of the job. Default: ${DEFAULT-VALUE}.")
                    String reason)
            throws IOException, InterruptedException {
        try (BuildClient client = flags.connect(settings(), around.err())) {
            boolean was = ClientFlags.get(client.job(id).cancel(reason));
            if (!was) {
                around.err().println("Error: the job had ended before: job=" + id);
            }
            return was ? ExitCode.OK : 1;
        }
    }

    @Command(
            name = "artefacts",
            description = "Lists the artefacts of a job that has ended, or downloads them.",
            exitCodeList = {
                EXIT_OK,
                EXIT_USAGE,
                "123:There is no such job for this token, it has no artefacts or none any more, or the master refuses the token.",
                "125:The master could not be reached, or a file could not be written, is there already, or is damaged."
            })
    int artefacts(
            @Mixin ClientFlags flags,
            @Parameters(paramLabel = "JOB", description = "Id of the job, as build --detach and jobs print it.")
                    String id,
            @Option(
                            names = "--to",
                            paramLabel = "FOLDER",
                            description =
                                    "Download each file to its name below the folder. No file is replaced, and none gets its name "
                                            + "before its SHA-256 digest was checked.")
                    Optional<Path> to,
            @Option(names = "--json", description = "Print one JSON document on stdout instead of the text.")
                    boolean isJson)
            throws IOException, InterruptedException {
        try (BuildClient client = flags.connect(settings())) {
            List<Map<String, Object>> rows = new ArrayList<>();
            List<Artefact> artefacts = ClientFlags.get(
                    to.isPresent()
                            ? client.downloadArtefacts(id, around.folder().resolve(to.get()))
                            : client.artefacts(id));
            for (Artefact artefact : artefacts) {
                Map<String, Object> row = new LinkedHashMap<>();
                row.put("name", artefact.name());
                row.put("bytes", artefact.size());
                row.put("sha256", artefact.sha256());
                rows.add(row);
            }
            print(rows, isJson, row -> row.get("sha256") + "  " + row.get("bytes") + "  " + row.get("name"));
        }
        return ExitCode.OK;
    }

    @Command(
            name = "retry",
            description = {
                "Submits the request of a job again, and prints the id of the new job.",
                "",
                "Works for each job that the token may see. If the job has secrets, only its owner's token can."
            },
            exitCodeList = {"0:The new job is accepted.", EXIT_USAGE, EXIT_REFUSED, EXIT_FAILED})
    int retry(
            @Mixin ClientFlags flags,
            @Parameters(paramLabel = "JOB", description = "Id of the job, as build --detach and jobs print it.")
                    String id)
            throws IOException, InterruptedException {
        try (BuildClient client = flags.connect(settings())) {
            printText(ClientFlags.get(client.retry(id)));
        }
        return ExitCode.OK;
    }

    private Settings settings() {
        return new Settings(around.environment(), ConfigFile.in(around.folder()));
    }

    private static Map<String, Object> fields(BuildStatus status) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("job", status.jobId());
        fields.put("state", status.result().map(JobCommands::state).orElseGet(() -> word(status.phase())));
        fields.put("accepted", status.accepted().toString());
        fields.put("attempt", status.attempt());
        fields.put("agent", status.agent());
        fields.put("logBytes", status.logBytes());
        fields.put("reason", status.reason());
        fields.put("output", status.output());
        status.retryOf().ifPresent(of -> fields.put("retryOf", of));
        status.result().ifPresent(result -> {
            fields.put("exitCode", BuildsExitCode.of(result));
            fields.put("message", result.message());
            fields.put("artefacts", result.artefacts());
            fields.put("artefactBytes", result.artefactBytes());
        });
        return fields;
    }

    private static String state(BuildResult result) {
        return result.isSuccess() ? "succeeded" : word(result.code());
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Prints rows as one JSON document, or a line for each. */
    private void print(List<Map<String, Object>> rows, boolean isJson, Function<Map<String, Object>, String> line)
            throws IOException {
        if (isJson) {
            json(rows);
            return;
        }
        for (Map<String, Object> row : rows) {
            printText(line.apply(row));
        }
    }

    private void json(Object value) throws IOException {
        print(new ObjectMapper().writeValueAsString(value));
    }

    /** Prints a line of texts that others have chosen. */
    private void printText(String line) throws IOException {
        print(STEERING.matcher(line).replaceAll("?"));
    }

    private void print(String line) throws IOException {
        around.out().write((line + "\n").getBytes(StandardCharsets.UTF_8));
        around.out().flush();
    }
}
