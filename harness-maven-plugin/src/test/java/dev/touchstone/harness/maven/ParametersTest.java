package dev.touchstone.harness.maven;

import static org.assertj.core.api.Assertions.assertThat;

import dev.touchstone.harness.cli.Main;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The goals' parameters beside the options that the harness prints. */
class ParametersTest {
    private static final Pattern OPTION = Pattern.compile("(?m)^ +(?:-\\w, )?--([a-z-]+)\\b");
    private static final Pattern UPPER = Pattern.compile("[A-Z]");

    @Test
    void compare_parameters_areTheCommandsOptions() throws Exception {
        assertThat(parameters(CompareMojo.class, "sides", "failOnUndecided", "jmh"))
                .isEqualTo(options("compare"));
    }

    @Test
    void report_parameters_areTheCommandsOptions() throws Exception {
        Set<String> options = options("report");
        assertThat(options.remove("publish"))
                .as("of a checkout of this project")
                .isTrue();
        assertThat(parameters(ReportMojo.class, "run")).isEqualTo(options);
    }

    private static Set<String> parameters(Class<?> goal, String... ownNames) {
        return Stream.of(goal.getDeclaredFields())
                .filter(field -> !field.isSynthetic() && !java.lang.reflect.Modifier.isStatic(field.getModifiers()))
                .map(Field::getName)
                .filter(name -> !List.of(ownNames).contains(name))
                .map(name -> UPPER.matcher(name)
                        .replaceAll(letter -> "-" + letter.group().toLowerCase(Locale.ROOT)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> options(String command) throws Exception {
        Process help = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        command,
                        "--help")
                .redirectErrorStream(true)
                .start();
        String text = new String(help.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(help.waitFor()).as(text).isZero();
        Set<String> options = OPTION.matcher(text)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        options.removeAll(List.of("help", "version"));
        assertThat(options).hasSizeGreaterThan(5);
        return options;
    }
}
