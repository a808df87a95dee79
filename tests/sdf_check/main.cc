// Loads SDF files through libsdformat, as Gazebo does.
//
// In: paths of model or world files. Out: every error and warning, each mesh or texture that is
// not there, and a line a file; exit code 1 if anything was wrong.

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <string>

#include <sdf/sdf.hh>

namespace {

namespace fs = std::filesystem;

// Takes what libsdformat writes to the console while it lives: some warnings go only there.
class ConsoleCatcher {
 public:
  ConsoleCatcher() : before_(std::cerr.rdbuf(caught_.rdbuf())) {}
  ~ConsoleCatcher() { std::cerr.rdbuf(before_); }
  ConsoleCatcher(const ConsoleCatcher &) = delete;
  ConsoleCatcher &operator=(const ConsoleCatcher &) = delete;
  std::string Text() const { return caught_.str(); }

 private:
  std::ostringstream caught_;
  std::streambuf *before_;
};

class Checker {
 public:
  explicit Checker(fs::path file) : file_(std::move(file)) {}

  // Returns the number of problems.
  int Run() {
    sdf::ParserConfig config;
    config.SetWarningsPolicy(sdf::EnforcementPolicy::ERR);
    config.SetUnrecognizedElementsPolicy(sdf::EnforcementPolicy::ERR);
    config.SetDeprecatedElementsPolicy(sdf::EnforcementPolicy::ERR);
    sdf::Root root;
    sdf::Errors errors;
    std::string console;
    {
      const ConsoleCatcher catcher;
      errors = root.Load(file_.string(), config);
      console = catcher.Text();
    }
    for (const auto &error : errors) Problem(error.Message());
    if (!console.empty()) Problem("console: " + console);

    if (root.Model() == nullptr && root.WorldCount() == 0) Problem("neither a model nor a world");
    if (root.Model() != nullptr) Model(*root.Model());
    for (uint64_t w = 0; w < root.WorldCount(); ++w) {
      const auto &world = *root.WorldByIndex(w);
      for (uint64_t m = 0; m < world.ModelCount(); ++m) Model(*world.ModelByIndex(m));
    }
    std::cout << file_.string() << ": " << models_ << " models, " << links_ << " links, "
              << joints_ << " joints, " << uris_ << " files, " << problems_ << " problems\n";
    return problems_;
  }

 private:
  void Model(const sdf::Model &model) {
    ++models_;
    joints_ += model.JointCount();
    links_ += model.LinkCount();
    for (uint64_t l = 0; l < model.LinkCount(); ++l) {
      const auto &link = *model.LinkByIndex(l);
      for (uint64_t c = 0; c < link.CollisionCount(); ++c) {
        Geometry(*link.CollisionByIndex(c)->Geom());
      }
      for (uint64_t v = 0; v < link.VisualCount(); ++v) {
        const auto &visual = *link.VisualByIndex(v);
        Geometry(*visual.Geom());
        if (visual.Material() != nullptr) Material(*visual.Material());
      }
    }
    for (uint64_t m = 0; m < model.ModelCount(); ++m) Model(*model.ModelByIndex(m));
  }

  void Geometry(const sdf::Geometry &geometry) {
    if (geometry.MeshShape() != nullptr) Uri(geometry.MeshShape()->Uri());
  }

  void Material(const sdf::Material &material) {
    if (material.PbrMaterial() == nullptr) return;
    const auto *metal = material.PbrMaterial()->Workflow(sdf::PbrWorkflowType::METAL);
    if (metal == nullptr) return Problem("a PBR material without the metal workflow");
    for (const auto &map : {metal->AlbedoMap(), metal->NormalMap(), metal->RoughnessMap()}) {
      if (!map.empty()) Uri(map);
    }
  }

  void Uri(const std::string &uri) {
    ++uris_;
    if (!Exists(uri)) Problem("no such file: " + uri);
  }

  bool Exists(const std::string &uri) const {
    const auto folder = fs::absolute(file_).parent_path();
    const auto scheme = uri.find("://");
    if (scheme == std::string::npos) return fs::is_regular_file(folder / uri);
    const auto rest = uri.substr(scheme + 3);
    if (uri.compare(0, scheme, "file") == 0) return fs::is_regular_file(rest);
    if (uri.compare(0, scheme, "model") != 0) return false;
    // A model's folder lies beside others, or on the resource path.
    if (fs::is_regular_file(folder.parent_path() / rest)) return true;
    const char *path = std::getenv("GZ_SIM_RESOURCE_PATH");
    std::istringstream parts(path == nullptr ? "" : path);
    for (std::string part; std::getline(parts, part, ':');) {
      if (fs::is_regular_file(fs::path(part) / rest)) return true;
    }
    return false;
  }

  void Problem(const std::string &text) {
    ++problems_;
    std::cout << file_.string() << ": " << text << "\n";
  }

  fs::path file_;
  uint64_t models_ = 0, links_ = 0, joints_ = 0, uris_ = 0;
  int problems_ = 0;
};

}  // namespace

int main(int argc, char **argv) {
  if (argc < 2) {
    std::cerr << "usage: sdf_check FILE...\n";
    return 2;
  }
  int problems = 0;
  for (int i = 1; i < argc; ++i) problems += Checker(argv[i]).Run();
  return problems == 0 ? 0 : 1;
}
