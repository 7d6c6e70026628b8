package dev.touchstone.builds.wire;

import com.google.protobuf.ByteString;
import dev.touchstone.builds.BuildFiles;
import dev.touchstone.builds.BuildRequest;
import dev.touchstone.builds.OutputMode;
import dev.touchstone.builds.wire.v1.Wire;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Requests as messages. Stateless. */
public final class Requests {
    private static final int MAX_NAME = 256;

    private Requests() {}

    /** Returns the message of a request. */
    public static Wire.Request toMessage(BuildRequest request) {
        Wire.Request.Builder message = Wire.Request.newBuilder()
                .setRepository(request.repository())
                .setBranch(request.branch())
                .setScript(request.script())
                .setRunner(request.runner())
                .setLabel(request.label())
                .setNoop(request.noop())
                .setDurable(request.durable())
                .setOutput(output(request.output()))
                .setTimeoutMillis(request.timeout().toMillis())
                .setQueueTimeoutMillis(request.queueTimeout().toMillis())
                .setMaxLogBytes(request.maxLogBytes());
        request.commit().ifPresent(message::setCommit);
        request.environment()
                .forEach((name, value) -> message.addEnvironment(Wire.Variable.newBuilder()
                        .setName(name)
                        .setValue(value)
                        .setSecret(request.secretNames().contains(name))));
        if (!request.files().isEmpty()) {
            message.setFiles(toMessage(request.files()));
        }
        return message.build();
    }

    private static Wire.Files toMessage(BuildFiles files) {
        Wire.Files.Builder message =
                Wire.Files.newBuilder().addAllArtefacts(files.artefacts()).setAlways(files.always());
        files.caches()
                .forEach((key, path) ->
                        message.addCaches(Wire.Cache.newBuilder().setKey(key).setPath(path)));
        return message.build();
    }

    private static BuildFiles files(Wire.Files message) {
        Map<String, String> caches = new HashMap<>();
        for (Wire.Cache cache : message.getCachesList()) {
            if (caches.put(cache.getKey(), cache.getPath()) != null) {
                throw new IllegalArgumentException(
                        "cache is there twice: key=" + Checks.text("cache's key", cache.getKey(), MAX_NAME));
            }
        }
        return new BuildFiles(message.getArtefactsList(), message.getAlways(), caches);
    }

    private static Wire.Output output(OutputMode mode) {
        return switch (mode) {
            case DISCARD -> Wire.Output.DISCARD;
            case STREAM -> Wire.Output.STREAM;
            case FILES -> Wire.Output.FILE;
            case REDIS -> Wire.Output.REDIS;
        };
    }

    private static OutputMode mode(Wire.Output output) {
        return switch (output) {
            case DISCARD -> OutputMode.DISCARD;
            case STREAM -> OutputMode.STREAM;
            case FILE -> OutputMode.FILES;
            case REDIS -> OutputMode.REDIS;
            case UNRECOGNIZED -> throw new WireException("request: no such output");
        };
    }

    /**
     * Returns the request that a message has.
     *
     * @throws WireException if it has values that it may not have
     */
    public static BuildRequest of(Wire.Request message) {
        Checks.count("request's environment", message.getEnvironmentCount(), BuildRequest.MAX_VARIABLES);
        boolean isBare = message.getEnvironmentCount() == 0;
        Map<String, String> environment = isBare ? Map.of() : new HashMap<>();
        Set<String> secrets = isBare ? Set.of() : new HashSet<>();
        for (Wire.Variable variable : message.getEnvironmentList()) {
            String name = variable.getName();
            if (environment.put(name, variable.getValue()) != null) {
                throw new WireException(
                        "request: variable is there twice: name=" + Checks.text("name", name, MAX_NAME));
            }
            if (variable.getSecret()) {
                secrets.add(name);
            }
        }
        try {
            return new BuildRequest(
                    message.getRepository(),
                    message.getBranch(),
                    message.hasCommit() ? Optional.of(message.getCommit()) : Optional.empty(),
                    message.getScript(),
                    Checks.text("request's runner", message.getRunner(), MAX_NAME),
                    Checks.text("request's label", message.getLabel(), MAX_NAME),
                    environment,
                    secrets,
                    message.getNoop(),
                    message.getDurable(),
                    mode(message.getOutput()),
                    Duration.ofMillis(Checks.natural("request's timeout", message.getTimeoutMillis())),
                    Duration.ofMillis(Checks.natural("request's queue timeout", message.getQueueTimeoutMillis())),
                    Checks.natural("request's longest log", message.getMaxLogBytes()),
                    message.hasFiles() ? files(message.getFiles()) : BuildFiles.NONE);
        } catch (IllegalArgumentException e) {
            throw new WireException("request: " + e.getMessage(), e);
        }
    }

    /** Returns the messages of several requests, in their order; they are not looked at yet. */
    public static List<RequestMessage> messages(List<ByteString> bytes) {
        Checks.count("requests", bytes.size(), Checks.MAX_ROWS);
        List<RequestMessage> messages = new ArrayList<>(bytes.size());
        for (ByteString one : bytes) {
            messages.add(RequestMessage.of(one));
        }
        return messages;
    }

    /** Returns about how many bytes a request takes in memory. */
    public static int bytes(BuildRequest request) {
        int bytes = 400
                + request.repository().length()
                + request.branch().length()
                + request.script().length();
        for (Map.Entry<String, String> variable : request.environment().entrySet()) {
            bytes += 100 + variable.getKey().length() + 2 * variable.getValue().length();
        }
        for (String pattern : request.files().artefacts()) {
            bytes += 100 + 2 * pattern.length();
        }
        for (String path : request.files().caches().values()) {
            bytes += 200 + 2 * path.length();
        }
        return bytes;
    }
}
