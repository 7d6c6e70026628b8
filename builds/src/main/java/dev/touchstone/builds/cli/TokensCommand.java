package dev.touchstone.builds.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.touchstone.builds.Token;
import dev.touchstone.builds.access.Caller;
import dev.touchstone.builds.access.Role;
import dev.touchstone.builds.access.TokenTable;
import dev.touchstone.builds.file.OwnerOnly;
import dev.touchstone.cli.ExitCode;
import dev.touchstone.cli.FailureMessages;
import dev.touchstone.cli.UsageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code tokens}: changes the file of tokens of a master. Two at once may lose one's change. */
@Command(
        name = "tokens",
        description = {
            "Lists, adds and removes the tokens of agents and clients, each with a name and roles.",
            "",
            "A running master (master --tokens FILE) follows the file within a second: a removed token ends its connections.",
            "Roles: agent (is the agent of the token's name), submit (submits builds, follows and cancels its own), read "
                    + "(follows all builds), admin (submits, follows and cancels all builds)."
        },
        exitCodeList = {"2:The command line cannot be used, or a file has a wrong line.", "125:The machine failed."})
final class TokensCommand {
    private static final String EXIT_OK = "0:Done.";
    private static final String EXIT_USAGE = "2:The command line cannot be used, or a file cannot.";
    private static final String EXIT_FAILED = "125:The machine failed.";
    private static final int TOKEN_BYTES = 32;

    private final ProcessContext around;

    TokensCommand(ProcessContext around) {
        this.around = around;
    }

    @Command(
            name = "list",
            description = "Lists names and roles.",
            exitCodeList = {EXIT_OK, EXIT_USAGE, EXIT_FAILED})
    int list(
            @Option(names = "--tokens", required = true, paramLabel = "FILE", description = "File of tokens.")
                    Path file,
            @Option(names = "--json", description = "Print one JSON document on stdout instead of the text.")
                    boolean isJson)
            throws IOException {
        List<Caller> callers = load(file).callers();
        StringBuilder text = new StringBuilder();
        if (isJson) {
            List<Map<String, Object>> rows = new ArrayList<>();
            for (Caller caller : callers) {
                Map<String, Object> row = new LinkedHashMap<>();
                row.put("name", caller.name());
                row.put("roles", words(caller));
                rows.add(row);
            }
            text.append(new ObjectMapper().writeValueAsString(rows)).append('\n');
        } else {
            for (Caller caller : callers) {
                text.append(caller.name())
                        .append(' ')
                        .append(String.join(",", words(caller)))
                        .append('\n');
            }
        }
        around.out().write(text.toString().getBytes(StandardCharsets.UTF_8));
        around.out().flush();
        return ExitCode.OK;
    }

    private static List<String> words(Caller caller) {
        return caller.roles().stream().sorted().map(Role::word).collect(Collectors.toList());
    }

    @Command(
            name = "add",
            description = {
                "Makes a token, lists it, and writes it to a file of its own, of mode 0600.",
                "",
                "The list has no more than the token's digest. The list is made if there is none."
            },
            exitCodeList = {EXIT_OK, EXIT_USAGE, EXIT_FAILED})
    int add(
            @Option(names = "--tokens", required = true, paramLabel = "FILE", description = "File of tokens.")
                    Path file,
            @Option(
                            names = "--roles",
                            required = true,
                            paramLabel = "ROLES",
                            description = "Roles separated by commas: agent, submit, read, admin.")
                    String roles,
            @Option(
                            names = "--token-file",
                            required = true,
                            paramLabel = "FILE",
                            description = "File that gets the token; must not exist.")
                    Path tokenFile,
            @Parameters(paramLabel = "NAME", description = "Name of the token; an agent's is its identity.")
                    String name)
            throws IOException {
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        Token token = Token.of(Base64.getUrlEncoder().withoutPadding().encodeToString(random));
        TokenTable before = Files.exists(file) ? load(file) : TokenTable.EMPTY;
        TokenTable after = before.with(name, TokenTable.roles(roles), token);
        write(tokenFile, token);
        after.save(file);
        return ExitCode.OK;
    }

    /** Writes the token first: one that is not listed yet opens nothing. */
    private static void write(Path file, Token token) throws IOException {
        try (FileChannel out = OwnerOnly.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = StandardCharsets.US_ASCII.encode(token.text() + "\n");
            while (bytes.hasRemaining()) {
                int unused = out.write(bytes);
            }
            out.force(true);
        } catch (FileAlreadyExistsException e) {
            throw new UsageException("--token-file: file exists, and would be replaced: path=" + file, e);
        }
        OwnerOnly.force(Objects.requireNonNull(file.toAbsolutePath().getParent(), "folder"));
    }

    @Command(
            name = "remove",
            description = "Removes a token from the list.",
            exitCodeList = {EXIT_OK, EXIT_USAGE, EXIT_FAILED})
    int remove(
            @Option(names = "--tokens", required = true, paramLabel = "FILE", description = "File of tokens.")
                    Path file,
            @Parameters(paramLabel = "NAME", description = "Name of the token.") String name)
            throws IOException {
        load(file).without(name).save(file);
        return ExitCode.OK;
    }

    private static TokenTable load(Path file) throws IOException {
        try {
            return TokenTable.load(file);
        } catch (FileSystemException e) {
            throw new UsageException("--tokens: " + FailureMessages.describe(e), e);
        }
    }
}
