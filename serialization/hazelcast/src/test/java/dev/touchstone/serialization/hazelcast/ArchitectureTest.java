package dev.touchstone.serialization.hazelcast;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.nio.serialization.DataSerializableFactory;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

@ArchTag("sweep")
@AnalyzeClasses(
        packages = "dev.touchstone.serialization.hazelcast",
        importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule twoClassesKnowHazelcastsInternals = noClasses()
            .that(not(belongToAnyOf(HazelcastBridge.class, RawMap.class)))
            .should()
            .dependOnClassesThat(resideInAnyPackage("com.hazelcast..internal..", "com.hazelcast..impl.."));

    @ArchTest
    static final ArchRule needsHazelcastAndTheCodecOnly = noClasses()
            .should()
            .dependOnClassesThat(not(resideInAnyPackage(
                    "dev.touchstone.serialization..", "com.hazelcast..", "java..", "org.jspecify.annotations")));

    @ArchTest
    static final ArchRule usesTheCodecsApiOnly =
            noClasses().should().dependOnClassesThat(resideInAnyPackage("dev.touchstone.serialization.layout"));

    @Test
    void servicesFile_namesTheHook() throws IOException {
        try (InputStream file = getClass().getResourceAsStream("/META-INF/services/com.hazelcast.DataSerializerHook")) {
            assertThat(file).isNotNull();
            assertThat(new String(file.readAllBytes(), StandardCharsets.UTF_8).strip())
                    .isEqualTo(HazelcastBridge.Hook.class.getName());
        }
        HazelcastBridge.Hook hook = new HazelcastBridge.Hook();
        assertThat(hook.getFactoryId()).isEqualTo(Wire.FACTORY);
        DataSerializableFactory factory = hook.createFactory();
        assertThat(factory.create(Wire.FIELD_PREDICATE)).isInstanceOf(FieldPredicate.class);
        assertThat(factory.create(Wire.VALUE_BYTES)).isInstanceOf(ValueBytes.class);
    }
}
